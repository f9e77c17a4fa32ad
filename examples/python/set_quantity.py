"""
Sets the quantity of a pet in the inventory. Usage: python set_quantity.py PET_ID QUANTITY [ETAG]
With an ETag, such as '"7-available"', only if the entry has it.
"""

import json
import os
import random
import re
import sys
import time

import requests
from requests.adapters import HTTPAdapter

BASE_URL = os.environ.get("PETSTORE_BASE_URL", "")
API_KEY = os.environ.get("PETSTORE_API_KEY", "")
ATTEMPTS = 5


class ResponseError(Exception):
    """A response other than 200."""

    def __init__(self, response):
        super().__init__(f"The service responded with {response.status_code}: {response.text}")
        self.status = response.status_code
        retry_after = response.headers.get("Retry-After", "")
        self.retry_after = int(retry_after) if retry_after.isdecimal() else None


def send(session, method, path, body, headers):
    response = session.request(
        method, BASE_URL + path, json=body, headers=headers, timeout=(5, 60)
    )
    if response.status_code != 200:
        raise ResponseError(response)
    return response.json()


def call(session, method, path, body=None, headers={}):
    """
    Sends a request, up to five times, and returns the body of the response. Repeats it after a 429,
    a 5xx, a network error and a response that was cut off; with If-Match only after a 429 or a 503,
    because the update may have been applied. Waits for the seconds in Retry-After, or else 1, 2, 4,
    then 8, and a random part of a second.
    """
    is_conditional = "If-Match" in headers
    for attempt in range(ATTEMPTS):
        seconds = 2**attempt
        try:
            return send(session, method, path, body, headers)
        except ResponseError as error:
            failure = str(error)
            was_not_applied = error.status in (429, 503)
            is_temporary = was_not_applied or error.status >= 500 and not is_conditional
            if not is_temporary:
                break
            seconds = error.retry_after or seconds
        except requests.JSONDecodeError:
            failure = "The response was cut off or is not valid JSON."
            if is_conditional:
                break
        except requests.RequestException as error:
            failure = f"There is no complete response: {error}"
            if is_conditional:
                break
        if attempt + 1 < ATTEMPTS:
            time.sleep(seconds + random.random())
    sys.exit(failure)


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
    # Only call() knows what may be repeated.
    session.mount("http://", HTTPAdapter(max_retries=0))
    session.mount("https://", HTTPAdapter(max_retries=0))
    session.headers["Authorization"] = f"Bearer {API_KEY}"
    inventory = call(session, "GET", "/inventory")
    check(
        any(str(entry["petId"]) == pet_id for entry in inventory),
        f"The inventory has no pet {pet_id}.",
    )
    headers = {"If-Match": each for each in etag}
    updated = call(session, "PATCH", f"/inventory/{pet_id}", {"quantity": int(quantity)}, headers)
    print(json.dumps(updated))


if __name__ == "__main__":
    main(sys.argv[1:])
