package dev.medley.connect.salesforce.event;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.RequestOptions;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpRequestWriter;
import com.linecorp.armeria.common.RequestHeaders;
import dev.medley.connect.salesforce.call.AccessToken;
import dev.medley.connect.salesforce.call.TokenRefused;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.io.IOException;
import java.time.Duration;

/**
 * Makes calls of {@code eventbus.v1.PubSub}. Each names the org by its token.
 *
 * <p>Thread: that of the sync.
 */
final class PubSubClient implements AutoCloseable {
    private final String address;
    private final Duration longest;
    private final ClientFactory factory;
    private final WebClient client;

    /**
     * Opens no connection yet.
     *
     * @param longest time to connect, and for one answer
     */
    PubSubClient(String address, Duration longest) {
        this.address = address;
        this.longest = longest;
        this.factory =
                ClientFactory.builder()
                        .connectTimeout(longest)
                        .meterRegistry(new CompositeMeterRegistry())
                        .build();
        this.client =
                WebClient.builder(
                                address.replaceFirst("^http:", "h2c:")
                                        .replaceFirst("^https:", "h2:"))
                        .factory(factory)
                        .build();
    }

    /** Where it is, for messages. */
    String address() {
        return address;
    }

    PubSubCall open(String method, AccessToken token) {
        RequestHeaders headers =
                RequestHeaders.builder(HttpMethod.POST, "/eventbus.v1.PubSub/" + method)
                        .add("content-type", "application/grpc")
                        .add("te", "trailers")
                        .add("accesstoken", token.token())
                        .add("instanceurl", token.instanceUrl())
                        .add("tenantid", token.org())
                        .build();
        HttpRequestWriter request = HttpRequest.streaming(headers);
        RequestOptions options =
                RequestOptions.builder().responseTimeoutMillis(0).maxResponseLength(0).build();
        return new PubSubCall(
                "%s of %s".formatted(method, address), request, client.execute(request, options));
    }

    /** A call with one message and one answer. */
    byte[] unary(String method, byte[] message, AccessToken token) throws IOException {
        try (PubSubCall call = open(method, token)) {
            call.send(message);
            call.end();
            byte[] answer = call.next(longest.toNanos());
            if (answer == null) {
                throw new PubSubFailure(
                        PubSubFailure.DEADLINE_EXCEEDED,
                        "",
                        "%s of %s: no answer of Salesforce within %d s"
                                .formatted(method, address, longest.toSeconds()));
            }
            return answer;
        } catch (PubSubFailure e) {
            throw translated(e);
        }
    }

    /** A token that is no longer good is for whoever gives tokens. */
    static IOException translated(PubSubFailure failure) {
        return failure.status() == PubSubFailure.UNAUTHENTICATED
                ? new TokenRefused(String.valueOf(failure.getMessage()))
                : failure;
    }

    @Override
    public void close() {
        factory.closeAsync();
    }
}
