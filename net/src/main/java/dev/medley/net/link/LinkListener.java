package dev.medley.net.link;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.net.door.RareWarnings;
import dev.medley.net.door.UnknownCallers;
import dev.medley.net.tls.TlsFailure;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts the connections of peers, on one port for the whole life of a process. It reads the hello
 * of each caller, refuses strangers and epochs that are over, and keeps the others until their
 * epoch's formation takes them. A silent caller is dropped after a while and hinders nobody. Two
 * callers who want to be joined with each other are handed to the {@link Relay}.
 */
public final class LinkListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LinkListener.class);
    private static final long GREETING_NS = 10_000_000_000L;
    private static final long NS_PER_MS = 1_000_000;

    /** How long nobody is let in where there is no descriptor for a caller. */
    private static final long PAUSE_NS = 50 * NS_PER_MS;

    private static final int BACKLOG = 512;
    private static final int WAITING_ROOM = 4096;

    /** Callers that have not yet said who they are; under TLS each has buffers. */
    private static final int STRANGERS = 512;

    private final RunKey key;
    private final LinkSecurity security;
    private final Clock clock;
    private final ServerSocketChannel server;
    private final Selector selector;
    private final Thread thread;
    private final Relay relay = new Relay();
    private final UnknownCallers strangers = new UnknownCallers(STRANGERS);
    private final RareWarnings warnings;

    // Guarded by this.
    private final Map<Hello, Caller> waiting = new HashMap<>();

    /** Of every hello that was heard, with its epoch: a hello is good once. */
    private final Map<ByteBuffer, Integer> nonces = new HashMap<>();

    private int livingEpoch = 1;
    private boolean closed;

    private LinkListener(
            RunKey key,
            LinkSecurity security,
            Clock clock,
            ServerSocketChannel server,
            Selector selector) {
        this.key = key;
        this.security = security;
        this.clock = clock;
        this.server = server;
        this.selector = selector;
        this.warnings = new RareWarnings(LOG, clock);
        this.thread = new Thread(this::run, "medley-door-" + server.socket().getLocalPort());
        thread.setDaemon(true);
    }

    /** Listens on {@code bind} (port 0 for any free one) for members of the run with that token. */
    public static LinkListener open(InetSocketAddress bind, String runToken, Clock clock) {
        return open(bind, runToken, LinkSecurity.NONE, clock);
    }

    /**
     * The same, with links that {@code security} covers over TLS, both those it takes and dials.
     */
    public static LinkListener open(
            InetSocketAddress bind, String runToken, LinkSecurity security, Clock clock) {
        try {
            ServerSocketChannel server = ServerSocketChannel.open();
            server.bind(bind, BACKLOG);
            server.configureBlocking(false);
            Selector selector = Selector.open();
            server.register(selector, SelectionKey.OP_ACCEPT);
            LinkListener listener =
                    new LinkListener(new RunKey(runToken), security, clock, server, selector);
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
        relay.retireBelow(livingEpoch);
        nonces.values().removeIf(of -> of < livingEpoch);
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

    /** The bytes forwarded between other members of an epoch since the last call. */
    public List<RelayedBytes> takeRelayed(int epoch) {
        return relay.takeBytes(epoch);
    }

    /**
     * Waits for the caller with that hello, who is then to be answered.
     *
     * @return null if it did not come before the deadline or {@code givenUp}
     */
    synchronized @Nullable Caller take(Hello expected, long deadlineNs, BooleanSupplier givenUp) {
        while (true) {
            Caller caller = waiting.remove(expected);
            if (caller != null) {
                return caller;
            }
            long leftNs = deadlineNs - clock.awakeNs();
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

    /** Lets a caller in. */
    synchronized void welcome(Caller caller) throws IOException {
        caller.say(new Welcome(Welcome.Verdict.WELCOME, livingEpoch));
    }

    /** Sends a caller away that came otherwise secured than this link has to be. */
    void refuseSecuredOtherwise(Caller caller) {
        refuse(caller, Welcome.Verdict.SECURED_OTHERWISE);
    }

    RunKey key() {
        return key;
    }

    LinkSecurity security() {
        return security;
    }

    /**
     * Whether a hello that came by another way, a relay's, has not been heard before; from now on
     * it has.
     */
    synchronized boolean isFirst(ByteBuffer nonce, Hello hello) {
        return nonces.putIfAbsent(nonce, hello.epoch()) == null;
    }

    /** Closes the door; links that stand stay, but those that go through this process end. */
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
        relay.close();
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

    private void serve(SelectionKey selected) {
        if (!selected.isValid()) {
            return; // It had to leave for another, in the same turn.
        } else if (selected.isAcceptable()) {
            accept();
        } else {
            listen(selected, (HelloReader) selected.attachment());
        }
    }

    private void accept() {
        try {
            SocketChannel caller = server.accept();
            if (caller == null) {
                return;
            } else if (!strangers.came(caller)) {
                warnings.warn(
                        "crowd",
                        "more than %d callers have not said who they are: the eldest had to leave"
                                .formatted(STRANGERS));
            }
            caller.configureBlocking(false);
            HelloReader greeting = new HelloReader(caller, security, clock.awakeNs());
            caller.register(selector, SelectionKey.OP_READ, greeting);
        } catch (IOException e) {
            // No descriptor is left, as a rule: who waits longest makes room.
            LOG.debug("A caller left before it was greeted", e);
            strangers.sendEldestAway();
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    private void listen(SelectionKey selected, HelloReader greeting) {
        try {
            Interest wanted = greeting.advance();
            if (greeting.isSecuredOtherwise()) {
                greeting.caller().say(new Welcome(Welcome.Verdict.SECURED_OTHERWISE, 0));
                greeting.refused();
            } else if (wanted == Interest.NONE) {
                selected.cancel();
                strangers.left(selected.channel());
                ByteBuffer frame = greeting.frame();
                ByteBuffer nonce = Hello.nonce(frame);
                boolean isForRelay = Hello.isToRelay(frame);
                Hello hello = Hello.decode(frame, key);
                if (hello == null) {
                    refuse(greeting.caller(), Welcome.Verdict.NOT_OF_THIS_RUN);
                } else {
                    admit(hello, nonce, greeting.caller(), isForRelay);
                }
            } else {
                selected.interestOps(wanted.operations());
            }
        } catch (SSLException e) {
            warnings.warn("tls", TlsFailure.sentence(name(selected), e));
            greeting.refused();
            selected.interestOps(SelectionKey.OP_READ);
        } catch (IOException e) {
            LOG.debug("A caller left while it was greeted", e);
            drop(selected);
        } catch (RuntimeException e) {
            // A bug, or words that we should have refused: they cost this caller alone.
            LOG.error("{} could not be greeted", name(selected), e);
            drop(selected);
        }
    }

    private static String name(SelectionKey selected) {
        Socket socket = ((SocketChannel) selected.channel()).socket();
        return "a caller from " + socket.getRemoteSocketAddress();
    }

    private synchronized void admit(Hello hello, ByteBuffer nonce, Caller caller, boolean joins)
            throws IOException {
        if (hello.epoch() < livingEpoch) {
            LOG.debug("Refused {}: the living epoch is {}", hello, livingEpoch);
            refuse(caller, Welcome.Verdict.EPOCH_IS_OVER);
        } else if (!isFirst(nonce, hello)) {
            warnings.warn(
                    "again", "Refused %s: it was said before, by somebody else".formatted(hello));
            refuse(caller, Welcome.Verdict.NOT_OF_THIS_RUN);
        } else if (joins ? !relay.meet(hello, caller) : !keep(hello, caller)) {
            warnings.warn("waiting", "Refused %s: too many callers wait".formatted(hello));
            refuse(caller, Welcome.Verdict.NOT_OF_THIS_RUN);
        }
    }

    /** Until its epoch's formation takes it; false where too many wait. */
    private synchronized boolean keep(Hello hello, Caller caller) {
        if (waiting.size() >= WAITING_ROOM) {
            return false;
        }
        Caller before = waiting.put(hello, caller);
        if (before != null) {
            before.close();
        }
        notifyAll();
        return true;
    }

    private synchronized void refuse(Caller caller, Welcome.Verdict verdict) {
        try {
            caller.say(new Welcome(verdict, livingEpoch));
        } catch (IOException e) {
            LOG.debug("A refused caller was gone already", e);
        }
        caller.close();
    }

    private void dropSilent() {
        long now = clock.awakeNs();
        for (SelectionKey key : selector.keys()) {
            boolean isSilent =
                    key.attachment() instanceof HelloReader greeting
                            && now - greeting.sinceNs() > GREETING_NS;
            if (isSilent) {
                drop(key);
            }
        }
    }

    private synchronized void closeAll() {
        waiting.values().forEach(Caller::close);
        waiting.clear();
    }

    private void drop(SelectionKey key) {
        key.cancel();
        strangers.left(key.channel());
        try {
            key.channel().close();
        } catch (IOException ignored) {
            // The descriptor is gone either way.
        }
    }
}
