"""Sells one of a pet, once, however often it is started. Usage: sell.py PET_ID ORDER"""

import itertools
import json
import os
import random
import sys
import time
from http.client import HTTPException
from urllib.request import HTTPErrorProcessor, Request, build_opener

DEADLINE = time.monotonic() + 600


class EveryStatus(HTTPErrorProcessor):
    """Makes urllib return each response: it raises no error, and follows no redirect."""

    def http_response(self, request, response):
        return response

    https_response = http_response


def send(method, path, decisive, headers={}, body=None):
    """Sends a request, again and unchanged, until a status decides. Returns that response's JSON."""
    base_url, api_key = os.environ["PETSTORE_BASE_URL"], os.environ["PETSTORE_API_KEY"]
    headers = {"Authorization": f"Bearer {api_key}", "Content-Type": "application/json", **headers}
    request = Request(base_url + path, body, headers, method=method)
    wait, pause = 0, 1
    while time.monotonic() + wait < DEADLINE:
        time.sleep(wait)
        retry_after = ""
        try:
            # A list takes up to a minute.
            with build_opener(EveryStatus).open(request, timeout=70) as response:
                status, text = response.status, response.read().decode(errors="replace")
            # Without the key, this is not the service's response, or a proxy has dropped the key.
            is_ours = response.headers.get("Idempotency-Key") == headers.get("Idempotency-Key")
            if status in decisive and is_ours:
                return json.loads(text)
            if status not in (408, 429) and status < 500:
                sys.exit(f"Stopped by {status}: {text}")
            problem, retry_after = f"{status} {text}", response.headers.get("Retry-After", "")
        except (OSError, HTTPException, json.JSONDecodeError) as error:
            problem = f"No complete response: {error}"
        wait = max(pause, int(retry_after) if retry_after.isdigit() else 0) + random.random()
        pause = min(2 * pause, 8)
        print(f"{problem} (again in {wait:.1f} s)", file=sys.stderr)
    sys.exit("It may be sold or not. Run me again with the same arguments.")


def sell(pet_id, order):
    for number in itertools.count(1):
        inventory = send("GET", "/inventory", [200])
        stock = next((entry for entry in inventory if entry["petId"] == pet_id), None)
        is_for_sale = stock and stock["status"] == "available" and stock["quantity"] > 0
        if is_for_sale:
            before, after = stock["quantity"], stock["quantity"] - 1
        else:
            # An earlier run may have sold it: ask what became of this try. No pet has so many, so
            # this changes nothing. It is random, so that no earlier answer to it is repeated.
            before, after = random.randrange(2**53, 10**16), 0
        headers = {"Idempotency-Key": f"{order}-{number}", "If-Match": f'"{before}-available"'}
        body = json.dumps({"quantity": after}).encode()
        answer = send("PATCH", f"/inventory/{pet_id}", [200, 404, 412, 422], headers, body)
        code = answer.get("code", "applied")
        if code in ("applied", "already_applied"):
            return print(f"Sold one of pet {pet_id} to {order}.")
        if code != "already_refused" and not is_for_sale:
            sys.exit(f"Not sold: pet {pet_id} is not available.")
        # This try was refused, and cannot sell any more.


if len(sys.argv) != 3:
    sys.exit(__doc__)
sell(int(sys.argv[1]), sys.argv[2])
