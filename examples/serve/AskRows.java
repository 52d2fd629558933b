import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Asks a served model for one row. The address is the first word: http://127.0.0.1:8080. */
final class AskRows {
    private AskRows() {}

    public static void main(String[] args) throws Exception {
        String row = "{\"months\": 3, \"contract\": \"monthly\", \"price\": 95}";
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(args[0] + "/v1/models/churn:rows"))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(row))
                        .build();
        HttpResponse<String> answer =
                HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        System.out.println("Java: " + answer.statusCode() + " " + answer.body());
    }
}
