package dev.medley.benchmarks.serving;

import com.linecorp.armeria.client.Endpoint;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.client.endpoint.EndpointGroup;
import com.linecorp.armeria.client.endpoint.EndpointSelectionStrategy;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.server.Server;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Routes by fixed weights in turn: with the true speeds an oracle, with equal ones round robin. */
public final class WeightedRouter {
    private WeightedRouter() {}

    /** Port, then servers as PORT=WEIGHT, all on loopback. */
    public static void main(String[] words) throws InterruptedException {
        List<Endpoint> servers = new ArrayList<>();
        for (int i = 1; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            servers.add(
                    Endpoint.of("127.0.0.1", Integer.parseInt(words[i].substring(0, equals)))
                            .withWeight(Integer.parseInt(words[i].substring(equals + 1))));
        }
        WebClient client =
                WebClient.of(
                        SessionProtocol.HTTP,
                        EndpointGroup.of(EndpointSelectionStrategy.weightedRoundRobin(), servers));
        Server server =
                Server.builder()
                        .http(Integer.parseInt(words[0]))
                        .serviceUnder(
                                "/",
                                (ctx, request) ->
                                        client.execute(
                                                HttpRequest.of(
                                                        request.headers().toBuilder()
                                                                .removeAndThen("host")
                                                                .build(),
                                                        request)))
                        .build();
        server.start().join();
        System.out.println("routing at port " + words[0]);
        new CountDownLatch(1).await();
    }
}
