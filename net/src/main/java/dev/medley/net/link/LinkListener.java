package dev.medley.net.link;

import dev.medley.base.Clock;
import dev.medley.base.ConfigException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The door of a process for its peers: one port for its whole life. Reads the hello of whoever
 * dials, refuses strangers and epochs that are over, and keeps the others until their epoch's
 * formation takes them. A silent caller is dropped after a while and hinders nobody.
 */
public final class LinkListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LinkListener.class);
    private static final long GREETING_NS = 10_000_000_000L;
    private static final long NS_PER_MS = 1_000_000;
    private static final int BACKLOG = 512;
    private static final int WAITING_ROOM = 4096;

    private final byte[] digest;
    private final Clock clock;
    private final ServerSocketChannel server;
    private final Selector selector;
    private final Thread thread;

    // Guarded by this.
    private final Map<Hello, SocketChannel> waiting = new HashMap<>();
    private int livingEpoch = 1;
    private boolean closed;

    private LinkListener(
            byte[] digest, Clock clock, ServerSocketChannel server, Selector selector) {
        this.digest = digest;
        this.clock = clock;
        this.server = server;
        this.selector = selector;
        this.thread = new Thread(this::run, "medley-door-" + server.socket().getLocalPort());
        thread.setDaemon(true);
    }

    /** Listens on {@code bind} (port 0 for any free one) for members of the run with that token. */
    public static LinkListener open(InetSocketAddress bind, String runToken, Clock clock) {
        try {
            ServerSocketChannel server = ServerSocketChannel.open();
            server.bind(bind, BACKLOG);
            server.configureBlocking(false);
            Selector selector = Selector.open();
            server.register(selector, SelectionKey.OP_ACCEPT);
            LinkListener listener =
                    new LinkListener(Hello.digest(runToken), clock, server, selector);
            listener.thread.start();
            return listener;
        } catch (IOException e) {
            throw new ConfigException(
                    "cannot listen on %s: %s. Choose a free port, or port 0 for any"
                            .formatted(bind, e.getMessage()),
                    e);
        }
    }

    /** The port that peers dial. */
    public int port() {
        return server.socket().getLocalPort();
    }

    /** From now on epochs below {@code epoch} are over: whoever comes for one is refused. */
    public synchronized void retireBelow(int epoch) {
        livingEpoch = Math.max(livingEpoch, epoch);
        waiting.entrySet()
                .removeIf(
                        entry -> {
                            boolean isOver = entry.getKey().epoch() < livingEpoch;
                            if (isOver) {
                                refuse(entry.getValue(), Welcome.Verdict.EPOCH_IS_OVER);
                            }
                            return isOver;
                        });
    }

    /**
     * Waits for the caller with that hello and welcomes it.
     *
     * @return its channel, or null if it did not come before the deadline or {@code givenUp}
     */
    synchronized @Nullable SocketChannel take(
            Hello expected, long deadlineNs, BooleanSupplier givenUp) throws IOException {
        while (true) {
            SocketChannel caller = waiting.remove(expected);
            if (caller != null) {
                caller.write(new Welcome(Welcome.Verdict.WELCOME, livingEpoch).encode());
                return caller;
            }
            long leftNs = deadlineNs - clock.nowNs();
            if (leftNs <= 0 || givenUp.getAsBoolean() || closed) {
                return null;
            }
            try {
                wait((leftNs + NS_PER_MS - 1) / NS_PER_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return null;
            }
        }
    }

    /** Makes a waiting {@link #take} look at {@code givenUp} again. */
    public synchronized void nudge() {
        notifyAll();
    }

    byte[] digest() {
        return digest;
    }

    /** Closes the door; links that stand stay. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        selector.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try (server;
                selector) {
            while (!isClosed()) {
                selector.select(this::serve, GREETING_NS / NS_PER_MS);
                dropSilent();
            }
        } catch (IOException e) {
            LOG.error("The door on port {} broke: no peer can join any more", port(), e);
        }
        closeAll();
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private void serve(SelectionKey key) {
        try {
            if (key.isAcceptable()) {
                SocketChannel caller = server.accept();
                if (caller != null) {
                    caller.configureBlocking(false);
                    caller.register(selector, SelectionKey.OP_READ, new Greeting(clock.nowNs()));
                }
            } else {
                listen(key, (Greeting) key.attachment(), (SocketChannel) key.channel());
            }
        } catch (IOException e) {
            LOG.debug("A caller left while it was greeted", e);
            drop(key);
        }
    }

    private void listen(SelectionKey key, Greeting greeting, SocketChannel caller)
            throws IOException {
        if (caller.read(greeting.frame) < 0) {
            drop(key);
        } else if (!greeting.frame.hasRemaining()) {
            key.cancel();
            admit(Hello.decode(greeting.frame.flip(), digest), caller);
        }
    }

    private synchronized void admit(@Nullable Hello hello, SocketChannel caller) {
        if (hello == null || waiting.size() >= WAITING_ROOM) {
            refuse(caller, Welcome.Verdict.NOT_OF_THIS_RUN);
        } else if (hello.epoch() < livingEpoch) {
            LOG.debug("Refused {}: the living epoch is {}", hello, livingEpoch);
            refuse(caller, Welcome.Verdict.EPOCH_IS_OVER);
        } else {
            SocketChannel before = waiting.put(hello, caller);
            if (before != null) {
                close(before);
            }
            notifyAll();
        }
    }

    private void refuse(SocketChannel caller, Welcome.Verdict verdict) {
        try {
            caller.write(new Welcome(verdict, livingEpoch).encode());
        } catch (IOException e) {
            LOG.debug("A refused caller was gone already", e);
        }
        close(caller);
    }

    private void dropSilent() {
        long now = clock.nowNs();
        for (SelectionKey key : selector.keys()) {
            boolean isSilent =
                    key.attachment() instanceof Greeting greeting
                            && now - greeting.sinceNs > GREETING_NS;
            if (isSilent) {
                drop(key);
            }
        }
    }

    private synchronized void closeAll() {
        waiting.values().forEach(LinkListener::close);
        waiting.clear();
    }

    private static void drop(SelectionKey key) {
        key.cancel();
        close((SocketChannel) key.channel());
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException ignored) {
            // The descriptor is gone either way.
        }
    }

    /** A caller whose hello has not fully arrived. */
    private static final class Greeting {
        final ByteBuffer frame = ByteBuffer.allocate(Hello.FRAME_BYTES);
        final long sinceNs;

        Greeting(long sinceNs) {
            this.sinceNs = sinceNs;
        }
    }
}
