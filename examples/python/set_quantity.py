"""Sets a pet's quantity in the inventory. Usage: python set_quantity.py PET_ID QUANTITY"""

import json
import os
import random
import re
import sys

import requests
from requests.adapters import HTTPAdapter
from urllib3 import Retry


class Retries(Retry):
    """Waits for the seconds in Retry-After; without it, 1, 2, 4, then 8, each shortened by a random part."""

    def get_backoff_time(self):
        return 2 ** (len(self.history) - 1) * random.uniform(0.5, 1)


api_key = os.environ["PETSTORE_API_KEY"]
if not re.fullmatch("[A-Za-z0-9_]+", api_key):
    sys.exit("PETSTORE_API_KEY must be a key.")
retries = Retries(
    4, status_forcelist=[429, 500, 502, 503, 504], allowed_methods=["GET", "PATCH"], raise_on_status=False
)
session = requests.Session()
session.mount("https://", HTTPAdapter(max_retries=retries))
session.mount("http://", HTTPAdapter(max_retries=retries))
session.headers["Authorization"] = f"Bearer {api_key}"


def call(method, path, body=None):
    response = session.request(method, os.environ["PETSTORE_BASE_URL"] + path, json=body, timeout=(5, 60))
    if response.status_code != 200:
        sys.exit(f"{response.status_code} {response.text}")
    return response.json()  # Raises if a list lacks its closing bracket; session.request, if the connection is cut.


pet_id, quantity = map(int, sys.argv[1:])
entry = next(entry for entry in call("GET", "/inventory") if entry["petId"] == pet_id)
print(json.dumps(call("PATCH", f"/inventory/{entry['petId']}", {"quantity": quantity})))
