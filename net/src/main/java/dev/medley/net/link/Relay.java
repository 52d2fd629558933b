package dev.medley.net.link;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Joins members that cannot reach each other. Both dial this process and name each other, and from
 * then on each gets what the other sends, byte for byte. Nobody else reads it where their link is
 * secured: TLS goes from end to end.
 *
 * <p>It counts the bytes that it forwards, which for its own member are no traffic of the exchange.
 *
 * <p>Thread: one for all pairs, which begins with the first. {@link #meet}, {@link #retireBelow},
 * {@link #takeBytes} and {@link #close} may come from any.
 */
final class Relay implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);
    private static final long LOOK_AGAIN_MS = 10_000;
    private static final int MOST_WAITING = 4096;

    /** One direction between two members, whatever the lane. */
    private record Way(int epoch, int fromRank, int toRank) {
        static Way of(Hello hello) {
            return new Way(hello.epoch(), hello.fromRank(), hello.toRank());
        }
    }

    /** The bytes that were forwarded since they were last asked for. */
    private final Map<Way, AtomicLong> handedOn = new ConcurrentHashMap<>();

    /** Pairs that were joined and wait to be served. */
    private final Queue<RelayedPair> joined = new ConcurrentLinkedQueue<>();

    private volatile int livingEpoch = 1;
    private volatile boolean isClosed;

    // Guarded by this.
    private final Map<Hello, Caller> waiting = new HashMap<>();
    private @Nullable Thread thread;
    private @Nullable Selector selector;

    // The thread's.
    private final Set<RelayedPair> pairs = new HashSet<>();

    /**
     * A member wants to be joined with another, which may be here already, or come later.
     *
     * @return false if too many wait: the caller is to be refused
     */
    synchronized boolean meet(Hello hello, Caller caller) throws IOException {
        if (isClosed || waiting.size() >= MOST_WAITING) {
            return false;
        }
        Caller other = waiting.remove(hello.reversed());
        if (other == null) {
            Caller before = waiting.put(hello, caller);
            if (before != null) {
                before.close();
            }
            return true;
        }
        join(hello, caller, other);
        return true;
    }

    /** Pairs of epochs below are over: their members have formed anew, or will. */
    void retireBelow(int epoch) {
        livingEpoch = Math.max(livingEpoch, epoch);
        handedOn.keySet().removeIf(way -> way.epoch() < livingEpoch);
        synchronized (this) {
            Iterator<Map.Entry<Hello, Caller>> all = waiting.entrySet().iterator();
            while (all.hasNext()) {
                Map.Entry<Hello, Caller> each = all.next();
                if (each.getKey().epoch() < livingEpoch) {
                    refuse(each.getValue());
                    all.remove();
                }
            }
            wake();
        }
    }

    /** The bytes forwarded for members of an epoch since the last call, in order of ranks. */
    List<RelayedBytes> takeBytes(int epoch) {
        List<RelayedBytes> taken = new ArrayList<>();
        handedOn.forEach(
                (way, counter) -> {
                    long bytes = way.epoch() == epoch ? counter.getAndSet(0) : 0;
                    if (bytes > 0) {
                        taken.add(new RelayedBytes(way.fromRank(), way.toRank(), bytes));
                    }
                });
        taken.sort(
                Comparator.comparingInt(RelayedBytes::fromRank)
                        .thenComparingInt(RelayedBytes::toRank));
        return taken;
    }

    /** Lets go of all: both ends of each pair see the end of their link. */
    @Override
    public void close() {
        Thread serving;
        synchronized (this) {
            isClosed = true;
            waiting.values().forEach(Caller::close);
            waiting.clear();
            wake();
            serving = thread;
        }
        try {
            if (serving != null) {
                serving.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Says to both that they are through; an answer fits into a connection that is quiet. */
    private void join(Hello hello, Caller caller, Caller other) throws IOException {
        Welcome through = new Welcome(Welcome.Verdict.WELCOME, livingEpoch);
        try {
            for (Caller each : new Caller[] {caller, other}) {
                each.channel().setOption(StandardSocketOptions.TCP_NODELAY, true);
                each.say(through);
            }
        } catch (IOException gone) {
            other.close();
            throw gone;
        }
        LOG.debug("Joined both ends of {}", hello);
        joined.add(
                new RelayedPair(
                        hello.epoch(),
                        caller.channel(),
                        other.channel(),
                        counter(hello),
                        counter(hello.reversed())));
        if (thread == null) {
            Selector opened = Selector.open();
            selector = opened;
            thread = new Thread(() -> run(opened), "medley-relay");
            thread.setDaemon(true);
            thread.start();
        }
        wake();
    }

    private AtomicLong counter(Hello hello) {
        return handedOn.computeIfAbsent(Way.of(hello), way -> new AtomicLong());
    }

    private void refuse(Caller caller) {
        try {
            caller.say(new Welcome(Welcome.Verdict.EPOCH_IS_OVER, livingEpoch));
        } catch (IOException e) {
            LOG.debug("A caller that waited for its peer was gone already", e);
        }
        caller.close();
    }

    private synchronized void wake() {
        if (selector != null) {
            selector.wakeup();
        }
    }

    // ---- The thread

    private void run(Selector all) {
        try (all) {
            while (!isClosed) {
                takeJoined(all);
                all.select(Relay::serve, LOOK_AGAIN_MS);
                pairs.removeIf(this::isOver);
            }
        } catch (IOException e) {
            LOG.error("The relay broke: the links that went through it have ended", e);
        } finally {
            isClosed = true;
            joined.forEach(RelayedPair::close);
            pairs.forEach(RelayedPair::close);
        }
    }

    private void takeJoined(Selector all) {
        for (RelayedPair next = joined.poll(); next != null; next = joined.poll()) {
            pairs.add(next);
            next.register(all);
        }
    }

    private boolean isOver(RelayedPair pair) {
        if (pair.epoch() < livingEpoch) {
            pair.close();
        }
        return !pair.isOpen();
    }

    private static void serve(SelectionKey ready) {
        ((RelayedPair) ready.attachment()).move(ready.selector());
    }
}
