"""Sets the quantity of a pet in the inventory. Usage: python set_quantity.py PET_ID QUANTITY"""

import json
import os
import random
import re
import sys
import time

import requests

BASE_URL = os.environ.get("PETSTORE_BASE_URL", "")
API_KEY = os.environ.get("PETSTORE_API_KEY", "")
ATTEMPTS = 5


class ResponseError(Exception):
    """A response other than 200."""

    def __init__(self, response):
        super().__init__(f"The service responded with {response.status_code}: {response.text}")
        self.is_temporary = response.status_code == 429 or response.status_code >= 500
        retry_after = response.headers.get("Retry-After", "")
        self.retry_after = int(retry_after) if retry_after.isdecimal() else None


def send(session, method, path, body):
    response = session.request(method, BASE_URL + path, json=body, timeout=(5, 60))
    if response.status_code != 200:
        raise ResponseError(response)
    return response.json()


def call(session, method, path, body=None):
    """
    Sends a request, up to five times, and returns the body of the response. Repeats it after a 429,
    a 5xx, a network error and a response that was cut off. Waits for the seconds in Retry-After, or
    else 1, 2, 4, then 8, and a random part of a second.
    """
    for attempt in range(ATTEMPTS):
        seconds = 2**attempt
        try:
            return send(session, method, path, body)
        except ResponseError as error:
            failure = str(error)
            if not error.is_temporary:
                break
            seconds = error.retry_after or seconds
        except requests.JSONDecodeError:
            failure = "The response was cut off or is not valid JSON."
        except requests.RequestException as error:
            failure = f"There is no complete response: {error}"
        if attempt + 1 < ATTEMPTS:
            time.sleep(seconds + random.random())
    sys.exit(failure)


def check(is_valid, message):
    if not is_valid:
        sys.exit(message)


def main(arguments):
    check(len(arguments) == 2, "Usage: python set_quantity.py PET_ID QUANTITY")
    pet_id, quantity = arguments
    is_pet_id = re.fullmatch("0|-?[1-9][0-9]*", pet_id)
    check(is_pet_id, f'PET_ID must be an integer, not "{pet_id}".')
    is_quantity = re.fullmatch("0|[1-9][0-9]*", quantity)
    check(is_quantity, f'QUANTITY must be 0 or a positive integer, not "{quantity}".')
    is_url = re.fullmatch(r"https?://[\w.-]+(:\d+)?(/[\w.-]+)*/v1", BASE_URL)
    check(is_url, "Set PETSTORE_BASE_URL to the service's base URL, which ends in /v1.")
    is_key = re.fullmatch("[A-Za-z0-9_]+", API_KEY)
    check(
        is_key,
        "Set PETSTORE_API_KEY to an API key, which has only letters, digits and underscores.",
    )

    session = requests.Session()
    session.headers["Authorization"] = f"Bearer {API_KEY}"
    inventory = call(session, "GET", "/inventory")
    check(
        any(str(entry["petId"]) == pet_id for entry in inventory),
        f"The inventory has no pet {pet_id}.",
    )
    updated = call(session, "PATCH", f"/inventory/{pet_id}", {"quantity": int(quantity)})
    print(json.dumps(updated))


if __name__ == "__main__":
    main(sys.argv[1:])
