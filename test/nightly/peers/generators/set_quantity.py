import os
import sys
import uuid

from openapi_client import ApiClient, Configuration, InventoryApi, InventoryUpdate

configuration = Configuration(
    host=os.environ["PETSTORE_BASE_URL"], access_token=os.environ["PETSTORE_API_KEY"]
)
api = InventoryApi(ApiClient(configuration))
pet_id, quantity = map(int, sys.argv[1:])
entry = next(entry for entry in api.list_inventory() if entry.pet_id == pet_id)
update = InventoryUpdate(quantity=quantity)
etag = f'"{entry.quantity}-{entry.status.value}"'
updated = api.update_inventory(
    entry.pet_id, update, if_match=etag, idempotency_key=str(uuid.uuid4())
)
print(updated.to_json())
