"""Web push: messages that only the subscribed browser can read (RFC 8291), signed by this server (RFC 8292)."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import time
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

CURVE = ec.SECP256R1()
RECORD = 4096
SIGNED_S = 12 * 3600
"""How long a signature holds."""
TOPIC = 32
"""Letters of a topic; nobody shall learn from it which table it is about."""


def new_key() -> str:
    """A key with which a server signs, as text."""
    return _text(ec.generate_private_key(CURVE).private_numbers().private_value.to_bytes(32, "big"))


def public_key(key: str) -> str:
    """What browsers are told of it."""
    return _text(_point(_private(key).public_key()))


def encrypted(message: bytes, p256dh: str, auth: str, own: ec.EllipticCurvePrivateKey | None = None) -> bytes:
    """A message for one subscription. `own` is a key for this message alone."""
    return _encrypted(message, _bytes(p256dh), _bytes(auth), own or ec.generate_private_key(CURVE), os.urandom(16))


def _encrypted(message: bytes, theirs: bytes, auth: bytes, own: ec.EllipticCurvePrivateKey, salt: bytes) -> bytes:
    mine = _point(own.public_key())
    shared = own.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, theirs))
    secret = _derived(shared, auth, b"WebPush: info\0" + theirs + mine, 32)
    key = _derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    sealed = AESGCM(key).encrypt(nonce, message + b"\x02", None)
    return salt + RECORD.to_bytes(4, "big") + bytes([len(mine)]) + mine + sealed


def headers(endpoint: str, key: str, contact: str, topic: str) -> dict[str, str]:
    """The headers of a request to a push service, signed. Of messages that wait there, one of each topic stays."""
    parts = urlsplit(endpoint)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(time.time()) + SIGNED_S, "sub": contact}
    signed = f"{_json({'typ': 'JWT', 'alg': 'ES256'})}.{_json(claims)}"
    r, s = utils.decode_dss_signature(_private(key).sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    token = f"{signed}.{_text(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"
    return {
        "Authorization": f"vapid t={token}, k={public_key(key)}",
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "Topic": hashlib.sha256(topic.encode()).hexdigest()[:TOPIC],
        "TTL": str(SIGNED_S),
        "Urgency": "normal",
    }


def is_subscription(p256dh: str, auth: str) -> bool:
    """Whether these can be the keys of a subscription."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, _bytes(p256dh))
        return len(_bytes(auth)) == 16
    except ValueError:
        return False


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def _private(key: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(_bytes(key), "big"), CURVE)


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def _json(value: dict[str, object]) -> str:
    return _text(json.dumps(value, separators=(",", ":")).encode())


def _text(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
