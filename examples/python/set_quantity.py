"""
Sets the quantity of a pet in the inventory. Usage: python set_quantity.py PET_ID QUANTITY [ETAG]
With an ETag, such as '"7-available"', only if the entry has it.
"""

import itertools
import json
import os
import queue
import random
import re
import sys
import threading
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
    key = None
    retry_after = 0

    def is_temporary(self):
        """Whether the request may succeed if it is sent again."""
        return self.status in (None, 408, 429) or self.status >= 500

    def is_refused(self, key):
        """Whether the service says that no attempt with this key was or will be applied."""
        codes = ("precondition_failed", "pet_not_found", "idempotency_key_reused")
        return self.code in codes and self.key == key


class ResponseError(Failure):
    """A response other than a valid 200."""

    def __init__(self, response, problem=None):
        problem = problem or f"The service responded with {response.status_code}"
        super().__init__(f"{problem}: {response.text}")
        self.key = response.headers.get("Idempotency-Key")
        self.status = response.status_code
        # A response without a code is a proxy's, whatever its status.
        code = re.search(r'"code": ?"(\w+)"', response.text)
        self.code = code and code[1]
        retry_after = response.headers.get("Retry-After", "")
        # Python reads no integer of thousands of digits.
        self.retry_after = int(retry_after[:9]) if retry_after.isdecimal() else 0


def authorize(request):
    """Sets the key. A header of the session would give way to an entry in ~/.netrc."""
    request.headers["Authorization"] = f"Bearer {API_KEY}"
    return request


def within(seconds, work):
    """Returns what work returns in time. requests limits only the time from one byte to the next."""
    results = queue.Queue()

    def run():
        try:
            results.put((work(), None))
        except Exception as error:
            results.put((None, error))

    threading.Thread(target=run, daemon=True).start()
    try:
        result, error = results.get(timeout=seconds)
    except queue.Empty:
        raise Failure("There is no complete response: it took too long.")
    if error:
        raise error
    return result


def send(session, method, path, body, headers, is_expected):
    """Sends a request once. Its 200 counts if is_expected recognizes the body."""
    timeout = 30 if method == "PATCH" else 330
    options = {"json": body, "headers": headers, "timeout": (5, 60), "allow_redirects": False}
    try:
        response = within(timeout, lambda: session.request(method, BASE_URL + path, **options))
    except requests.RequestException as error:
        raise Failure(f"There is no complete response: {error}")
    if response.status_code != 200:
        raise ResponseError(response)
    try:
        result = response.json()
    except (ValueError, RecursionError):
        # Also for lists in lists in lists, and for a number of thousands of digits.
        result = None
    if not is_expected(result):
        raise Failure(
            f"The response was cut off or is not what was asked for: {response.text}"
        )
    if response.headers.get("Idempotency-Key") != headers.get("Idempotency-Key"):
        raise ResponseError(response, "The response lacks the Idempotency-Key")
    return result


def stopwatch():
    """Starts to count seconds, by the clock that is further: one stands still in sleep, one is set."""
    since, since_boot = time.time(), time.monotonic()
    return lambda: max(time.time() - since, time.monotonic() - since_boot)


def may_repeat(failure, has_key, attempt, passed):
    """
    Whether a request may be sent again, after waiting for the seconds in Retry-After, or else 1, 2,
    4, 8, 8, ..., and a random part of a second. An update with a condition needs an
    Idempotency-Key: without one, it could be applied twice.
    """

    def is_over(seconds):
        if has_key:
            return passed() + seconds >= FIVE_MINUTES
        return attempt >= ATTEMPTS

    asked = failure.retry_after or min(2 ** (attempt - 1), 8)
    seconds = min(max(asked, 1), FIVE_MINUTES) + random.random()
    if not failure.is_temporary() or is_over(seconds):
        return False
    time.sleep(seconds)
    # The machine may have slept longer.
    return not is_over(0)


def call(session, method, path, is_expected, body=None, headers={}):
    """Sends a request until a response is final, and returns the body of a 200."""
    passed = stopwatch()
    key = headers.get("Idempotency-Key")
    unknown = "It may have been applied: check the entry. " if key else ""
    try:
        for attempt in itertools.count(1):
            try:
                return send(session, method, path, body, headers, is_expected)
            except Failure as failure:
                if not may_repeat(failure, key is not None, attempt, passed):
                    sys.exit(f"{'' if failure.is_refused(key) else unknown}{failure}")
    except KeyboardInterrupt:
        sys.exit(f"{unknown}The program was interrupted.")


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
    inventory = call(session, "GET", "/inventory", lambda result: isinstance(result, list))
    check(
        any(str(entry["petId"]) == pet_id for entry in inventory),
        f"The inventory has no pet {pet_id}.",
    )
    # Without a condition, the same update may always be repeated.
    condition = {"If-Match": etag[0], "Idempotency-Key": str(uuid.uuid4())} if etag else {}
    update = {"quantity": int(quantity)}

    def is_updated(result):
        sent = {"petId": int(pet_id), **update}
        return isinstance(result, dict) and sent.items() <= result.items()

    updated = call(session, "PATCH", f"/inventory/{pet_id}", is_updated, update, condition)
    print(json.dumps(updated))


if __name__ == "__main__":
    main(sys.argv[1:])
