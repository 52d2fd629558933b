package dev.medley.connect.salesforce.fake;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaders;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** The Pub/Sub API of an org, over gRPC on a port of this machine. */
final class FakePubSub implements AutoCloseable {
    private static final String CODES = "sfdc.platform.eventbus.grpc.";

    private final FakeEvents events;
    private final Predicate<HttpHeaders> isLetIn;
    private final FakeEventForm form = new FakeEventForm();
    private final AtomicInteger calls = new AtomicInteger();
    private final Server server;

    /** Lets calls in whose headers are good. */
    FakePubSub(FakeEvents events, Transport transport, Predicate<HttpHeaders> isLetIn) {
        this.events = events;
        this.isLetIn = isLetIn;
        InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        this.server =
                (transport == Transport.PLAIN
                                ? Server.builder().http(free)
                                : Server.builder().https(free).tlsSelfSigned())
                        .service("/eventbus.v1.PubSub/{method}", this::serve)
                        .requestTimeoutMillis(0)
                        .gracefulShutdownTimeoutMillis(0, 0)
                        .meterRegistry(new CompositeMeterRegistry())
                        .build();
        server.start().join();
    }

    /** Whether it wants TLS. */
    enum Transport {
        PLAIN,
        TLS
    }

    /** Host and port. */
    String place() {
        return "127.0.0.1:" + server.activeLocalPort();
    }

    private HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
        String method = String.valueOf(context.pathParam("method"));
        FakeEventFault fault = events.calls.apply(method, calls.incrementAndGet());
        HttpResponseWriter answer = HttpResponse.streaming();
        Stream stream = new Stream(method, fault, request, answer);
        if (fault == FakeEventFault.UNAVAILABLE) {
            stream.end(14, CODES + "service.unavailable", "try again later");
        } else if (fault == FakeEventFault.UNAUTHENTICATED || !isLetIn.test(request.headers())) {
            stream.end(16, CODES + "service.auth.error", "session expired or invalid");
        } else if (fault == FakeEventFault.LIMIT && method.equals("Subscribe")) {
            stream.end(8, CODES + "subscription.limit.exceeded", "You have exceeded the limit.");
        }
        request.subscribe(stream);
        return answer;
    }

    @Override
    public void close() {
        var unused = server.stop(); // It takes two seconds to be sure that nobody comes.
    }

    /** One call: takes requests as they come, and answers. */
    private final class Stream implements Subscriber<HttpObject>, Runnable {
        private final String method;
        private final FakeEventFault fault;
        private final HttpRequest request;
        private final HttpResponseWriter answer;
        private final ByteArrayOutputStream in = new ByteArrayOutputStream();
        private @Nullable String topic;
        private int at;
        private int pending;
        private boolean isBegun;
        private boolean isOver;

        Stream(
                String method,
                FakeEventFault fault,
                HttpRequest request,
                HttpResponseWriter answer) {
            this.method = method;
            this.fault = fault;
            this.request = request;
            this.answer = answer;
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public synchronized void onNext(HttpObject object) {
            if (!(object instanceof HttpData data) || isOver) {
                return;
            }
            in.writeBytes(data.array());
            byte[] all = in.toByteArray();
            int from = 0;
            while (all.length - from >= 5) {
                int length = ByteBuffer.wrap(all, from + 1, 4).getInt();
                if (all.length - from - 5 < length) {
                    break;
                }
                heard(Arrays.copyOfRange(all, from + 5, from + 5 + length));
                from += 5 + length;
            }
            in.reset();
            in.write(all, from, all.length - from);
        }

        @Override
        public void onError(Throwable thrown) {
            events.forget(this);
        }

        @Override
        public synchronized void onComplete() {
            if (method.equals("Subscribe") && !isOver && fault != FakeEventFault.SILENT) {
                end(0, "", "");
            }
            events.forget(this);
        }

        private void heard(byte[] message) {
            if (fault == FakeEventFault.SILENT) {
                return;
            }
            Fields fields = Fields.of(message);
            switch (method) {
                case "GetTopic" -> topic(fields.text);
                case "GetSchema" -> {
                    send(form.schema(fault, fields.text));
                    end(0, "", "");
                }
                case "Subscribe" -> fetch(fields);
                default -> end(12, "", "no such method");
            }
        }

        private void topic(String name) {
            if (events.has(name)) {
                send(form.topic(name));
                end(0, "", "");
            } else {
                end(5, CODES + "topic.not.found", "The topic does not exist: " + name);
            }
        }

        private void fetch(Fields asked) {
            if (asked.count <= 0 || asked.count > 100) {
                end(3, CODES + "subscription.fetch.requested.events.invalid", "ask for 1 to 100");
                return;
            }
            pending += asked.count;
            if (topic == null) {
                topic = asked.text;
                int place =
                        asked.replay.length < 8
                                ? -1
                                : (int) ByteBuffer.wrap(asked.replay).getLong();
                if (asked.preset == 2 && !events.isKept(place)) {
                    end(
                            3,
                            CODES + "subscription.fetch.replayid.corrupted",
                            "The Replay ID validation failed. Ensure that it is valid. rpcId: 1");
                    return;
                }
                at = asked.preset == 2 ? place : asked.preset == 1 ? 0 : events.end();
                events.listen(this);
            }
            deliver();
            if (!isOver && pending > 0 && events.signs == FakeEvents.Signs.AT_ONCE) {
                send(form.fetched(List.of(), at, pending, fault));
            }
        }

        @Override
        public synchronized void run() {
            if (topic != null && !isOver) {
                deliver();
            }
        }

        private void deliver() {
            while (pending > 0 && at < events.end() && !isOver) {
                List<FakeEventForm.Placed> some = form.some();
                while (some.size() < Math.min(pending, events.mostAMessage) && at < events.end()) {
                    FakeEvents.Told told = events.at(at++);
                    if (told.topic().equals(topic)) {
                        some.add(new FakeEventForm.Placed(told, at));
                    }
                }
                if (some.isEmpty()) {
                    return;
                }
                pending -= some.size();
                byte[] message = form.fetched(some, at, pending, fault);
                send(message);
                if (fault == FakeEventFault.TWICE) {
                    send(message);
                } else if (fault == FakeEventFault.CUT) {
                    cut();
                }
            }
        }

        private void begin() {
            if (!isBegun) {
                isBegun = true;
                boolean unused =
                        answer.tryWrite(
                                ResponseHeaders.builder(HttpStatus.OK)
                                        .add("content-type", "application/grpc")
                                        .build());
            }
        }

        private void send(byte[] message) {
            begin();
            int length = fault == FakeEventFault.HUGE_MESSAGE ? 2_000_000_000 : message.length;
            ByteBuffer framed = ByteBuffer.allocate(5 + message.length);
            framed.put((byte) 0).putInt(length).put(message);
            boolean unused = answer.tryWrite(HttpData.wrap(framed.array()));
        }

        synchronized void end(int status, String code, String said) {
            begin();
            isOver = true;
            boolean unused =
                    answer.tryWrite(
                            HttpHeaders.builder()
                                    .add("grpc-status", "" + status)
                                    .add("grpc-message", said.replace(" ", "%20"))
                                    .add("error-code", code)
                                    .build());
            answer.close();
        }

        private void cut() {
            isOver = true;
            answer.close(new IOException("cut"));
            request.abort();
        }
    }

    /** Fields of the three requests: a text is the first one of each. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Fields(String text, int preset, byte[] replay, int count) {
        static Fields of(byte[] message) {
            try {
                CodedInputStream in = CodedInputStream.newInstance(message);
                String text = "";
                int preset = 0;
                byte[] replay = {};
                int count = 0;
                for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                    switch (WireFormat.getTagFieldNumber(tag)) {
                        case 1 -> text = in.readString();
                        case 2 -> preset = in.readEnum();
                        case 3 -> replay = in.readByteArray();
                        case 4 -> count = in.readInt32();
                        default -> in.skipField(tag);
                    }
                }
                return new Fields(text, preset, replay, count);
            } catch (IOException e) {
                throw new IllegalArgumentException(e);
            }
        }
    }
}
