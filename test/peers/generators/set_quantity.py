import os
import sys

from openapi_client import ApiClient, Configuration, InventoryApi, InventoryUpdate

configuration = Configuration(
    host=os.environ["PETSTORE_BASE_URL"], access_token=os.environ["PETSTORE_API_KEY"]
)
api = InventoryApi(ApiClient(configuration))
pet_id, quantity = map(int, sys.argv[1:])
entry = next(entry for entry in api.list_inventory() if entry.pet_id == pet_id)
print(api.update_inventory(entry.pet_id, InventoryUpdate(quantity=quantity)).to_json())
