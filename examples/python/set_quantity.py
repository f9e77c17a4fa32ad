"""
Sets the quantity of a pet in the inventory. Usage: python set_quantity.py PET_ID QUANTITY [ETAG]
With an ETag, such as '"7-available"', only if the entry has it.
"""

import itertools
import json
import os
import random
import re
import sys
import time
import uuid

import requests

BASE_URL = os.environ.get("PETSTORE_BASE_URL", "")
API_KEY = os.environ.get("PETSTORE_API_KEY", "")
# How often a request is sent that has no Idempotency-Key.
ATTEMPTS = 5
# How long a request is sent again that has one: the service promises no more.
FIVE_MINUTES = 300


class Failure(Exception):
    """Why a request has no valid 200."""

    status = None
    code = None
    retry_after = 0

    def is_temporary(self):
        """Whether the request may succeed if it is sent again."""
        return self.status in (None, 408, 429) or self.status >= 500

    def is_refused(self):
        """Whether the service says that no attempt with this key was or will be applied."""
        return self.code in ("precondition_failed", "pet_not_found", "idempotency_key_reused")


class ResponseError(Failure):
    """A response other than 200."""

    def __init__(self, response):
        super().__init__(f"The service responded with {response.status_code}: {response.text}")
        self.status = response.status_code
        # A response without a code is a proxy's, whatever its status.
        code = re.search(r'"code": ?"(\w+)"', response.text)
        self.code = code and code[1]
        retry_after = response.headers.get("Retry-After", "")
        self.retry_after = int(retry_after) if retry_after.isdecimal() else 0


def authorize(request):
    """Sets the key. A header of the session would give way to an entry in ~/.netrc."""
    request.headers["Authorization"] = f"Bearer {API_KEY}"
    return request


def send(session, method, path, body, headers):
    timeout = (5, 30 if method == "PATCH" else 60)
    options = {"json": body, "headers": headers, "timeout": timeout, "allow_redirects": False}
    try:
        response = session.request(method, BASE_URL + path, **options)
        if response.status_code != 200:
            raise ResponseError(response)
        return response.json()
    except requests.JSONDecodeError:
        raise Failure("The response was cut off or is not valid JSON.")
    except requests.RequestException as error:
        raise Failure(f"There is no complete response: {error}")


def may_repeat(failure, has_key, attempt, since):
    """
    Whether a request may be sent again, after waiting for the seconds in Retry-After, or else 1, 2,
    4, 8, 8, ..., and a random part of a second. An update with a condition needs an
    Idempotency-Key: without one, it could be applied twice.
    """

    def is_over(seconds):
        if has_key:
            return time.time() + seconds >= since + FIVE_MINUTES
        return attempt >= ATTEMPTS

    seconds = (failure.retry_after or min(2 ** (attempt - 1), 8)) + random.random()
    if not failure.is_temporary() or is_over(seconds):
        return False
    time.sleep(seconds)
    # The machine may have slept longer.
    return not is_over(0)


def call(session, method, path, body=None, headers={}):
    """Sends a request until a response is final, and returns the body of a 200."""
    since = time.time()
    for attempt in itertools.count(1):
        try:
            return send(session, method, path, body, headers)
        except Failure as failure:
            if not may_repeat(failure, "Idempotency-Key" in headers, attempt, since):
                is_unknown = "If-Match" in headers and not failure.is_refused()
                warning = "It may have been applied: check the entry. " if is_unknown else ""
                sys.exit(f"{warning}{failure}")


def check(is_valid, message):
    if not is_valid:
        sys.exit(message)


def main(arguments):
    check(len(arguments) in (2, 3), "Usage: python set_quantity.py PET_ID QUANTITY [ETAG]")
    pet_id, quantity, *etag = arguments
    is_pet_id = re.fullmatch("0|-?[1-9][0-9]*", pet_id)
    check(is_pet_id, f'PET_ID must be an integer, not "{pet_id}".')
    is_quantity = re.fullmatch("0|[1-9][0-9]*", quantity)
    check(is_quantity, f'QUANTITY must be 0 or a positive integer, not "{quantity}".')
    is_etag = all(re.fullmatch('"[0-9]+-[a-z]+"', each) for each in etag)
    check(is_etag, f'ETAG must be like "7-available", with its quotes, not {"".join(etag)}.')
    is_url = re.fullmatch(r"https?://[\w.-]+(:\d+)?(/[\w.-]+)*/v1", BASE_URL)
    check(is_url, "Set PETSTORE_BASE_URL to the service's base URL, which ends in /v1.")
    is_key = re.fullmatch("[A-Za-z0-9_]+", API_KEY)
    check(
        is_key,
        "Set PETSTORE_API_KEY to an API key, which has only letters, digits and underscores.",
    )

    session = requests.Session()
    session.auth = authorize
    inventory = call(session, "GET", "/inventory")
    check(
        any(str(entry["petId"]) == pet_id for entry in inventory),
        f"The inventory has no pet {pet_id}.",
    )
    # Without a condition, the same update may always be repeated.
    condition = {"If-Match": etag[0], "Idempotency-Key": str(uuid.uuid4())} if etag else {}
    update = {"quantity": int(quantity)}
    updated = call(session, "PATCH", f"/inventory/{pet_id}", update, condition)
    print(json.dumps(updated))


if __name__ == "__main__":
    main(sys.argv[1:])
