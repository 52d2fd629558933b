package dev.medley.exchange;

import dev.medley.base.Fault;
import dev.medley.base.StepTag;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.base.time.Clock;
import dev.medley.exchange.copy.StateCopy;
import dev.medley.exchange.peer.Peers;
import dev.medley.exchange.post.Post;
import dev.medley.exchange.sum.Fidelity;
import dev.medley.exchange.sum.Scope;
import dev.medley.exchange.sum.Slice;
import dev.medley.exchange.sum.Transport;
import dev.medley.net.link.FaultSignal;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Sums slices over a group of two or more members. Slices go through a bounded queue to the
 * exchange thread, which works through them in order while the training thread computes. When the
 * training thread has nothing to do but wait, it takes the exchange thread's role and does the rest
 * itself: the state of the exchange belongs to whoever holds {@link #role}, and no step pays for
 * waking a thread at its end.
 */
final class AgentCollective implements Collective {
    private static final int MOST_QUEUED = 4096;

    private final Peers peers;
    private final Transport transport;
    private final List<Integer> mates;
    private final @Nullable Post post;
    private final StateCopy stateCopy;
    private final Clock clock;
    private final ArrayBlockingQueue<Slice> queue = new ArrayBlockingQueue<>(MOST_QUEUED);
    private final ReentrantLock role = new ReentrantLock();
    private final Idleness idleness = new Idleness();
    private final Thread thread;
    private volatile boolean isClosed;
    private volatile boolean isTold;

    // Owned by the training thread.
    private @Nullable StepTag tag;
    private double unit = 1;
    private long slices;
    private long slicesAtSite;
    private boolean isAtSite;
    private long atSiteNs;
    private long awaitedNs;

    // Owned by the holder of the role.
    private boolean isDead;
    private long busyNs;
    private @Nullable Throwable bug;

    AgentCollective(
            Peers peers,
            Transport transport,
            List<Integer> mates,
            Clock clock,
            @Nullable Post post) {
        this.peers = peers;
        this.transport = transport;
        this.mates = mates;
        this.post = post;
        this.stateCopy = new StateCopy(peers);
        this.clock = clock;
        this.thread = new Thread(this::run, "medley-exchange-" + peers.name(peers.rank()));
        thread.setDaemon(true);
        thread.start();
        if (post != null) {
            post.begin(this::blame);
        }
    }

    @Override
    public int rank() {
        return peers.rank();
    }

    @Override
    public int size() {
        return peers.size();
    }

    @Override
    public String description() {
        return transport.description();
    }

    @Override
    public Span buffer() {
        return transport.buffer();
    }

    @Override
    public void begin(StepTag step) {
        tag = step;
        unit = 1;
        settled(transport::discarded);
    }

    @Override
    public void inUnits(double next) {
        unit = next;
    }

    @Override
    public void applied() {
        settled(transport::applied);
    }

    private void settled(Runnable fate) {
        role.lock();
        try {
            fate.run();
        } finally {
            role.unlock();
        }
    }

    @Override
    public List<Integer> mates() {
        return mates;
    }

    @Override
    public void sumAtSite(long offsetBytes, long bytes, ElementType type) {
        if (mates.size() > 1) {
            isAtSite = true;
            sum(offsetBytes, bytes, type, Fidelity.EXACT, Scope.SITE, ++slicesAtSite);
        }
    }

    @Override
    public void sum(long offsetBytes, long bytes, ElementType type, Fidelity fidelity) {
        isAtSite = false;
        sum(offsetBytes, bytes, type, fidelity, Scope.ALL, ++slices);
    }

    private void sum(
            long offsetBytes,
            long bytes,
            ElementType type,
            Fidelity fidelity,
            Scope scope,
            long number) {
        StepTag step = tag;
        if (step == null) {
            throw new IllegalStateException("sum() before begin()");
        }
        Objects.checkFromIndexSize(offsetBytes, bytes, buffer().bytes());
        boolean isFloat = type == ElementType.FLOAT32 || type == ElementType.FLOAT64;
        if (!isFloat || offsetBytes % type.bytes() != 0 || bytes % type.bytes() != 0) {
            throw new IllegalArgumentException(
                    "cannot sum %d bytes at %d as %s".formatted(bytes, offsetBytes, type));
        }
        Slice slice = new Slice(step, number, offsetBytes, bytes, type, fidelity, scope, unit);
        if (!queue.offer(slice)) {
            work();
            queue.add(slice);
        }
        transport.queued();
        LockSupport.unpark(thread);
    }

    @Override
    public @Nullable Fault await() {
        long fromNs = clock.nowNs();
        Fault fault = asHolder(this::settle);
        awaitedNs += clock.nowNs() - fromNs;
        return fault;
    }

    /** Slices leave the queue in the role alone, which is kept until they are summed. */
    @Override
    public boolean isSummed() {
        if (!queue.isEmpty() || !role.tryLock()) {
            return false;
        }
        role.unlock();
        if (hasVerdictToTell()) {
            LockSupport.unpark(thread); // It may have found the role taken.
        }
        return true;
    }

    @Override
    public @Nullable Fault finish() {
        long beginNs = clock.nowNs();
        idleness.begin(beginNs);
        Fault fault = asHolder(this::settle);
        long endNs = clock.nowNs();
        idleness.end(endNs);
        if (isAtSite) {
            isAtSite = false;
            atSiteNs += endNs - beginNs;
        }
        return fault;
    }

    private void settle() throws FaultSignal {
        drain();
        if (!isDead) {
            transport.settle();
            peers.hearNow();
        }
    }

    @Override
    public @Nullable Fault copy(int from, Set<Integer> to, List<Span> spans) {
        return asHolder(
                () -> {
                    drain();
                    if (!isDead) {
                        stateCopy.copy(from, to, spans);
                    }
                });
    }

    @Override
    public @Nullable Post post() {
        return post;
    }

    @Override
    public @Nullable Fault ended() {
        return peers.verdict();
    }

    /** Letters on their way belong to the epoch in which they were written. */
    @Override
    public boolean continueAs(int epoch) {
        role.lock();
        try {
            boolean isFit = post == null && !isDead && ended() == null && queue.isEmpty();
            if (isFit) {
                tag = null;
                peers.continueAs(epoch);
                buffer().clear();
            }
            return isFit;
        } finally {
            role.unlock();
        }
    }

    @Override
    public void abort(Fault why) {
        peers.abort(why);
        endPost(why);
        LockSupport.unpark(thread);
    }

    @Override
    public ExchangeTimes times() {
        role.lock();
        try {
            long waitedNs = peers.takeWaitedNs();
            long movingNs = Math.max(busyNs - waitedNs, 0);
            busyNs = 0;
            long atSite = atSiteNs;
            atSiteNs = 0;
            long waitedWithinNs = awaitedNs;
            awaitedNs = 0;
            if (post != null) {
                waitedWithinNs += post.takeWaitedNs();
                post.takeTraffic(peers.traffic()::letters);
            }
            return new ExchangeTimes(
                    idleness.isKnown() ? idleness.takeNs() : waitedNs,
                    movingNs,
                    peers.traffic().takeSent(),
                    peers.traffic().takeReceived(),
                    atSite,
                    waitedWithinNs,
                    peers.traffic().take());
        } finally {
            role.unlock();
        }
    }

    @Override
    public void close() {
        isClosed = true;
        LockSupport.unpark(thread);
        if (post != null) {
            post.close();
        }
        role.lock();
        try {
            if (!isDead) {
                isDead = true;
                transport.close();
                peers.bye();
                peers.close();
            }
            peers.abort(closed());
        } finally {
            role.unlock();
        }
        join();
        idleness.close();
    }

    // ---- The exchange thread

    private void run() {
        idleness.exchangeThread();
        while (!isClosed) {
            boolean isIdle = queue.isEmpty() && !hasVerdictToTell();
            if (isIdle || !role.tryLock()) {
                LockSupport.park(this);
                continue;
            }
            try {
                peers.waitPatiently();
                guard(this::drain);
            } finally {
                role.unlock();
            }
        }
    }

    private boolean hasVerdictToTell() {
        return peers.verdict() != null && !isTold;
    }

    private void work() {
        Fault unused = asHolder(this::drain);
    }

    /** Does something in the exchange thread's role, on the calling thread. */
    private @Nullable Fault asHolder(Work work) {
        peers.waitEagerly();
        role.lock();
        try {
            guard(work);
            if (bug != null) {
                throw new IllegalStateException("the exchange is broken", bug);
            }
            return peers.verdict();
        } finally {
            role.unlock();
            if (!queue.isEmpty() || hasVerdictToTell()) {
                LockSupport.unpark(thread);
            }
        }
    }

    /** Does something of which a fault ends the epoch; time is taken. */
    private void guard(Work work) {
        long startNs = clock.nowNs();
        try {
            if (!isDead) {
                peers.check();
            }
            work.run();
        } catch (FaultSignal signal) {
            end(signal.fault());
        } catch (RuntimeException | Error e) {
            bug = e;
            end(
                    new Fault(
                            Fault.Kind.PEER,
                            peers.name(peers.rank()),
                            peers.name(peers.rank()) + " has a bug in its exchange: " + e));
        }
        busyNs += clock.nowNs() - startNs;
    }

    private void drain() throws FaultSignal {
        for (Slice slice = queue.poll(); slice != null; slice = queue.poll()) {
            if (!isDead) {
                peers.check();
                peers.during(slice.tag());
                transport.sum(slice, queue);
            }
        }
    }

    private void end(Fault fault) {
        peers.abort(fault);
        endPost(fault);
        queue.clear();
        if (!isDead) {
            isDead = true;
            transport.close();
            peers.tell(Objects.requireNonNullElse(peers.verdict(), fault));
            peers.close();
        }
        isTold = true;
    }

    private void endPost(Fault fault) {
        if (post != null) {
            post.end(Objects.requireNonNullElse(peers.verdict(), fault));
        }
    }

    /** A letter was waited for in vain: ends the epoch, and says who is to blame. */
    private Fault blame(int peer, String silence, @Nullable Fault broken) {
        Fault verdict =
                asHolder(
                        () -> {
                            StepTag step = tag;
                            if (step != null) {
                                peers.during(step);
                            }
                            if (silence.isEmpty()) {
                                throw peers.lost(peer, broken);
                            }
                            throw peers.fault(
                                    Fault.Kind.PEER, peer, peers.name(peer) + " " + silence);
                        });
        return Objects.requireNonNull(verdict);
    }

    private Fault closed() {
        return new Fault(
                Fault.Kind.SEALED, peers.name(peers.rank()), "this collective has been closed");
    }

    private void join() {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Something to do in the exchange thread's role. */
    @FunctionalInterface
    private interface Work {
        void run() throws FaultSignal;
    }
}
