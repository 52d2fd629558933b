package dev.medley.benchmarks.serving;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.medley.base.time.Clock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Speaks HTTP/1.1 over many connections on one thread, with one request at a time on each, and as
 * little work as can be: the generator shares the machine with the server.
 */
final class HttpPool implements CallPool {
    private static final long SLICE_NS = 100_000;
    private static final long MILLI_NS = 1_000_000;

    private final Clock clock;
    private final InetSocketAddress address;
    private final byte[] request;
    private final Selector selector;
    private final Deque<Connection> idle = new ArrayDeque<>();
    private final List<Connection> all = new ArrayList<>();
    private final ByteBuffer in = ByteBuffer.allocateDirect(1 << 16);

    private static final class Connection {
        private final SocketChannel channel;
        private final AnswerReader answer = new AnswerReader();
        private ByteBuffer out = ByteBuffer.allocate(0);
        private long dueNs;
        private boolean isBusy;

        private Connection(SocketChannel channel) {
            this.channel = channel;
        }
    }

    HttpPool(LoadOptions options, Clock clock) throws IOException {
        this.clock = clock;
        address = new InetSocketAddress(options.url().getHost(), options.url().getPort());
        request = request(options);
        selector = Selector.open();
        for (int i = 0; i < options.connections(); i++) {
            idle.add(open());
        }
    }

    private static byte[] request(LoadOptions options) {
        byte[] body = options.bytes();
        StringBuilder head = new StringBuilder();
        head.append(body.length == 0 ? "GET " : "POST ")
                .append(options.url().getRawPath())
                .append(" HTTP/1.1\r\nHost: ")
                .append(options.url().getAuthority())
                .append("\r\n");
        options.headers().forEach(line -> head.append(line).append("\r\n"));
        head.append("Content-Length: ").append(body.length).append("\r\n\r\n");
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.writeBytes(head.toString().getBytes(ISO_8859_1));
        whole.writeBytes(body);
        return whole.toByteArray();
    }

    private Connection open() throws IOException {
        SocketChannel channel = SocketChannel.open(address);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        Connection connection = new Connection(channel);
        channel.register(selector, SelectionKey.OP_READ, connection);
        all.add(connection);
        return connection;
    }

    @Override
    public boolean hasRoom() {
        return !idle.isEmpty();
    }

    @Override
    public int underWay() {
        return all.size() - idle.size();
    }

    @Override
    public void send(long dueNs) {
        Connection connection = idle.remove();
        connection.dueNs = dueNs;
        connection.isBusy = true;
        connection.out = ByteBuffer.wrap(request);
        try {
            write(connection);
        } catch (IOException e) {
            connection.out = ByteBuffer.allocate(0); // Reading tells that it is broken.
        }
    }

    private void write(Connection connection) throws IOException {
        connection.channel.write(connection.out);
        SelectionKey key = connection.channel.keyFor(selector);
        key.interestOps(
                connection.out.hasRemaining()
                        ? SelectionKey.OP_READ | SelectionKey.OP_WRITE
                        : SelectionKey.OP_READ);
    }

    @Override
    public void poll(long waitNs, LoadTally tally) {
        try {
            if (waitNs >= 2 * MILLI_NS) {
                selector.select(key -> ready(key, tally), waitNs / MILLI_NS);
            } else {
                if (selector.selectNow(key -> ready(key, tally)) == 0 && waitNs > SLICE_NS / 2) {
                    LockSupport.parkNanos(Math.min(waitNs, SLICE_NS));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void ready(SelectionKey key, LoadTally tally) {
        Connection connection = (Connection) key.attachment();
        try {
            if (key.isWritable()) {
                write(connection);
            }
            in.clear();
            int read = connection.channel.read(in);
            if (read < 0) {
                throw new IOException("closed");
            }
            connection.answer.add(in.flip());
            if (connection.isBusy && connection.answer.isWhole()) {
                AnswerReader answer = connection.answer;
                tally.answered(connection.dueNs, clock.nowNs(), answer.status(), answer.body());
                connection.isBusy = false;
                boolean isLast = answer.isLast();
                answer.clear();
                if (isLast) {
                    replace(connection);
                } else {
                    idle.add(connection);
                }
            }
        } catch (IOException e) {
            if (connection.isBusy) {
                tally.broken(connection.dueNs);
            }
            replace(connection);
        }
    }

    private void replace(Connection connection) {
        try {
            all.remove(connection);
            idle.remove(connection);
            connection.channel.close();
            idle.add(open());
        } catch (IOException e) {
            // The server is gone: fewer connections from now on.
        }
    }

    @Override
    public void close() {
        try {
            for (Connection connection : all) {
                connection.channel.close();
            }
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
