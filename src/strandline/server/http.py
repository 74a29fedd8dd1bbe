"""HTTP with limits: on a request's head, on the time that anything may take, and on an address's connections.

They hold before anything of a request reaches the application, where strangers could otherwise wait forever.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
from collections import Counter
from typing import TYPE_CHECKING, Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

from strandline.server.limits import CROWD, FAST, LARGEST_MESSAGE, Bucket, Buckets, Network, household, is_in, visitor

if TYPE_CHECKING:
    from strandline.server.hall import Settings

LARGEST_HEAD = 16 * 1024
"""Bytes of a request's head: its first line and all headers."""
IDLE_S = 5
"""How long a connection may stay without a request."""
MESSAGE_BYTES = 256
"""What a message has, with its frame, where pages send many."""
SOCKET_BYTES = 32 * 1024
"""Bytes that WebSockets of one address may send at once. The smallest frame has six."""
SHARE_S = 8.0
"""Each of them may say a message a second, and what comes in this time at once, even when others have sent so much."""
PARTING_S = 1.0
"""How long whoever is cut off may take to hear why."""


class LimitedHttp(H11Protocol):
    """One connection. Whoever is slow to ask, or slow to take the answer, is dropped."""

    patience: float
    most: int
    proxies: tuple[Network, ...]
    by_household: Counter[str]

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._to_ask: asyncio.TimerHandle | None = None
        self._to_take: asyncio.TimerHandle | None = None
        self._counted = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody connects."""
        super().connection_made(transport)
        self._counted = not is_in(self._address, self.proxies)
        self.by_household[self._household] += self._counted
        if self.by_household[self._household] > self.most:
            transport.abort()
        else:
            self._expect_request()

    def connection_lost(self, exc: Exception | None) -> None:
        """They are gone."""
        self._stop_counting()
        self._request_is_there()
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """A part of a request, or several requests."""
        super().data_received(data)
        waits = self.conn.their_state in (h11.IDLE, h11.SEND_BODY)  # for the rest of the head, or of the body
        if waits and self.transport.get_protocol() is self:  # and not for what a WebSocket says
            self._expect_request()
        else:
            self._request_is_there()
        self._end_soon()

    def on_response_complete(self) -> None:
        """An answer has been given, though not all of it may be taken yet."""
        super().on_response_complete()
        self._end_soon()

    def timeout_keep_alive_handler(self) -> None:
        """Nothing more is asked for."""
        super().timeout_keep_alive_handler()
        self._end_soon()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """From here on the connection is a WebSocket, which has limits of its own."""
        self._stop_counting()
        super().handle_websocket_upgrade(event)
        upgraded = cast(LimitedSocket, self.transport.get_protocol())
        if not (upgraded.handshake_initiated or self.transport.is_closing()):
            self.transport.abort()  # the whole head was there, and yet it waits for more, for a body perhaps

    def pause_writing(self) -> None:
        """The answer is not taken as fast as it is given."""
        super().pause_writing()
        self._to_take = self.loop.call_later(self.patience, self.transport.abort)

    def resume_writing(self) -> None:
        """It is taken after all."""
        super().resume_writing()
        if self._to_take is not None:
            self._to_take.cancel()

    @property
    def _address(self) -> str:
        return self.client[0] if self.client else ""

    @property
    def _household(self) -> str:
        return household(self._address)

    def _expect_request(self) -> None:
        """A part of a request does not prolong the wait for the rest."""
        if self._to_ask is None:
            self._to_ask = self.loop.call_later(self.patience, self.transport.abort)

    def _request_is_there(self) -> None:
        if self._to_ask is not None:
            self._to_ask.cancel()
            self._to_ask = None

    def _end_soon(self) -> None:
        """By itself a connection that is closed lasts until all that was sent is taken, which may be never."""
        if self.transport.is_closing():
            self.loop.call_later(self.patience, self.transport.abort)

    def _stop_counting(self) -> None:
        if self._counted:
            self._counted = False
            self.by_household[self._household] -= 1
            if not self.by_household[self._household]:
                del self.by_household[self._household]


def limited(settings: Settings) -> type[LimitedHttp]:
    """The protocol of one server."""
    own = {
        "patience": settings.patience,
        "most": settings.connections,
        "proxies": tuple(map(ipaddress.ip_network, settings.proxies)),
        "by_household": Counter(),
    }
    return type("LimitedHttp", (LimitedHttp,), own)


class LimitedSocket(WebSocketsSansIOProtocol):
    """One WebSocket. Whoever sends without a pause is dropped: frames need not be messages to take time."""

    sent: Buckets
    is_cut_off = False

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._share = Bucket(MESSAGE_BYTES, SHARE_S)

    def data_received(self, data: bytes) -> None:
        """Some frames, or parts of them."""
        if not self.handshake_initiated:  # a request's head, which has limits of its own
            return super().data_received(data)
        for start in range(0, len(data), LARGEST_MESSAGE):
            part = data[start : start + LARGEST_MESSAGE]
            if self.is_cut_off:
                return
            is_modest = self._share.take(len(part))
            if self.sent.of(visitor(cast(dict[str, Any], self.scope))).take(len(part)) or is_modest:
                super().data_received(part)
            else:
                self._cut_off()

    def send_receive_event_to_app(self) -> None:
        """Pass a message on. One that is no text is closed for that, and is no fault of ours to be logged."""
        try:
            (b"".join(self.frames) if self.curr_msg_data_type == "text" else b"").decode()
        except UnicodeDecodeError:
            self.conn.fail(1007)
            self.handle_parser_exception()
        else:
            super().send_receive_event_to_app()

    def keepalive_timeout(self) -> None:
        """Nobody has answered a ping: what was sent before is not taken either."""
        super().keepalive_timeout()
        self.transport.abort()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """The application has done with it. Whoever does not take the rest keeps the connection no longer for that."""
        super().on_task_complete(task)
        self.loop.call_later(self.close_timeout, self.transport.abort)

    def _cut_off(self) -> None:
        """Say that it was too fast, and listen no more. A word takes a moment, which an abort would not leave it."""
        self.is_cut_off = True
        self.read_paused = False  # or reading would go on when the application hears of it
        self.transport.pause_reading()
        if self.handshake_complete and not self.close_sent:
            self.stop_keepalive()
            with contextlib.suppress(InvalidState):  # the other end has said goodbye
                self.conn.send_close(FAST)
                self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            self.queue.put_nowait({"type": "websocket.disconnect", "code": FAST})
        if self.close_timer is not None:
            self.close_timer.cancel()
        self.close_timer = self.loop.call_later(PARTING_S, self.transport.abort)


def limited_socket(settings: Settings) -> type[LimitedSocket]:
    """The protocol of one server's WebSockets."""
    rate = settings.messages * CROWD * MESSAGE_BYTES
    return type("LimitedSocket", (LimitedSocket,), {"sent": Buckets(rate, SOCKET_BYTES / rate)})
