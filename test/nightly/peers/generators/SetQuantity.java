import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.InventoryApi;
import org.openapitools.client.model.InventoryUpdate;

public class SetQuantity {
  public static void main(String[] args) throws Exception {
    var client = new ApiClient();
    client.updateBaseUri(System.getenv("PETSTORE_BASE_URL"));
    client.setRequestInterceptor(
        request -> request.header("Authorization", "Bearer " + System.getenv("PETSTORE_API_KEY")));
    var api = new InventoryApi(client);
    var petId = Long.parseLong(args[0]);
    var entries = api.listInventory().stream();
    var entry = entries.filter(item -> item.getPetId() == petId).findFirst().orElseThrow();
    var update = new InventoryUpdate().quantity(Long.parseLong(args[1]));
    var etag = "\"" + entry.getQuantity() + "-" + entry.getStatus() + "\"";
    var key = UUID.randomUUID().toString();
    var updated = api.updateInventory(entry.getPetId(), update, etag, key);
    System.out.println(client.getObjectMapper().writeValueAsString(updated));
  }
}
