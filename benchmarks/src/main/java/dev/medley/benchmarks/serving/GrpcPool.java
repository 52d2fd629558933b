package dev.medley.benchmarks.serving;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.RequestHeaders;
import dev.medley.base.time.Clock;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Calls gRPC over a few connections of HTTP/2, with many calls under way on each. */
final class GrpcPool implements CallPool {
    private static final int CONNECTIONS = 4;
    private static final int PREFIX_BYTES = 5;
    private static final String STATUS = "grpc-status";

    private final Clock clock;
    private final LoadOptions options;
    private final RequestHeaders headers;
    private final HttpData frame;
    private final List<ClientFactory> factories = new ArrayList<>();
    private final List<WebClient> clients = new ArrayList<>();
    private final BlockingQueue<Done> done = new LinkedBlockingQueue<>();
    private int underWay;
    private int next;

    private record Done(long dueNs, long atNs, boolean isGood) {}

    GrpcPool(LoadOptions options, Clock clock) {
        this.clock = clock;
        this.options = options;
        headers =
                RequestHeaders.of(
                        HttpMethod.POST,
                        options.url().getRawPath(),
                        "content-type",
                        "application/grpc+proto",
                        "te",
                        "trailers");
        byte[] message = options.bytes();
        frame =
                HttpData.wrap(
                        ByteBuffer.allocate(PREFIX_BYTES + message.length)
                                .put((byte) 0) // Not compressed.
                                .putInt(message.length)
                                .put(message)
                                .array());
        for (int i = 0; i < CONNECTIONS; i++) {
            ClientFactory factory = ClientFactory.builder().workerGroup(1).build();
            factories.add(factory);
            clients.add(
                    WebClient.builder("h2c://" + options.url().getAuthority())
                            .factory(factory)
                            .build());
        }
    }

    @Override
    public boolean hasRoom() {
        return underWay < options.connections();
    }

    @Override
    public int underWay() {
        return underWay;
    }

    @Override
    public void send(long dueNs) {
        underWay++;
        CompletableFuture<Void> unused =
                clients.get(next++ % CONNECTIONS)
                        .execute(HttpRequest.of(headers, frame))
                        .aggregate()
                        .handle(
                                (answer, thrown) -> {
                                    done.add(new Done(dueNs, clock.nowNs(), isGood(answer)));
                                    return null;
                                });
    }

    private static boolean isGood(@Nullable AggregatedHttpResponse answer) {
        return answer != null
                && "0".equals(answer.trailers().get(STATUS, answer.headers().get(STATUS, "")));
    }

    @Override
    public void poll(long waitNs, LoadTally tally) {
        try {
            @Nullable Done first = done.poll(waitNs, TimeUnit.NANOSECONDS);
            while (first != null) {
                underWay--;
                if (first.isGood()) {
                    tally.answered(first.dueNs(), first.atNs(), 200, "");
                } else {
                    tally.broken(first.dueNs());
                }
                first = done.poll();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public void close() {
        factories.forEach(ClientFactory::close);
    }
}
