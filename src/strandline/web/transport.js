// What lies behind the pages: a server. A site without one has a file of the same name that speaks to a worker instead.

/** Where Strandline begins in the address, whatever comes before it. */
const ROOT = new URL("..", import.meta.url);

/** Whether other devices reach the same tables. */
export const SHARED = true;

/** What the page shows, by the last part of its address: a table, or a game. */
export const SUBJECT = location.pathname.split("/").filter(Boolean).pop() ?? "";

/** The whole address of a page or a picture, from its path: "/table/ID#TOKEN". */
export const address = (path) => new URL(path.replace(/^\//, ""), ROOT).href;

/** Go to a table; `instead` leaves no way back to this page. */
export const enter = async (path, instead = false) => (instead ? location.replace(address(path)) : location.assign(address(path)));

/** The address of a picture. */
export const image = async (path) => address(path);

/** A request over HTTP, or what is like one. */
export const request = (path, how = {}) => fetch(address(path), how);

/** The line to a table: a WebSocket, or what is like one. */
export const line = (table) => new WebSocket(address(`/api/tables/${table}/play`).replace(/^http/, "ws"));
