package dev.medley.exchange.post;

import dev.medley.base.Fault;
import dev.medley.base.time.Clock;
import dev.medley.net.link.FaultSignal;
import dev.medley.net.link.Interest;
import dev.medley.net.link.Link;
import dev.medley.net.link.LinkPoll;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Moves letters between single members of a group, in order between any two, while each member
 * computes. Letters to oneself take the same path, so the receiver need not ask from whom.
 *
 * <p>Nobody ever waits to send: {@link #offer} copies a letter's body and returns, or refuses it
 * where two with a body are under way to that member. So memory is bounded by two bodies for each
 * member that one writes to and one for each member that writes, and sending cannot deadlock. A
 * letter that must not be refused needs an answer before the next; a sender whose answers bound
 * more than two takes {@link #send}.
 *
 * <p>Thread: one of its own moves letters and calls the handler, which must be short. {@link
 * #offer}, {@link #alarm}, {@link #changed} and {@link #end} may come from any thread; {@link
 * #await} and {@link #check} belong to the training thread.
 */
public final class Post implements AutoCloseable {
    private static final long NS_PER_MINUTE = 60_000_000_000L;

    private final int rank;
    private final @Nullable Correspondent[] peers;
    private final Clock clock;
    private final long timeoutNs;
    private final LinkPoll poll = new LinkPoll();
    private final Thread thread;
    private final Outbox leaving;
    private final LetterTraffic traffic;
    private final Alarm alarm;
    private final AtomicLong waitedNs = new AtomicLong();
    private volatile long movedNs;
    private volatile boolean isClosed;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();

    // Guarded by the lock.
    private final @Nullable Lost[] lost;
    private @Nullable Intake intake;
    private @Nullable Judge judge;
    private @Nullable Fault fault;
    private @Nullable Throwable bug;

    /** Takes letters in, on the post's thread; no letter moves meanwhile. */
    @FunctionalInterface
    public interface Handler {
        /**
         * A letter has come; its body is valid during the call. Must not wait for letters. What is
         * thrown here is a fault of who wrote it.
         */
        void received(int from, Letter letter);
    }

    /** Ends the group's epoch because of a member that is lost or silent. */
    @FunctionalInterface
    public interface Judge {
        /**
         * Finds out who is to blame, and tells all others.
         *
         * @param silence what is said of a member that was silent; empty for one that is lost
         * @param broken what the link said of one that is lost; null if it was closed
         */
        Fault blame(int peer, String silence, @Nullable Fault broken);
    }

    /** A link that has ended. */
    private record Lost(@Nullable Fault broken) {}

    /**
     * A post that has not begun.
     *
     * @param links to all other members, which the post reads and writes but does not close
     * @param timeoutNs longest wait in which nothing moves
     */
    public Post(int rank, int size, List<Link> links, Clock clock, long timeoutNs) {
        this.rank = rank;
        this.clock = clock;
        this.alarm = new Alarm(clock);
        this.timeoutNs = timeoutNs;
        this.peers = new Correspondent[size];
        links.forEach(link -> peers[link.peerRank()] = new Correspondent(link));
        this.traffic = new LetterTraffic(size);
        this.lost = new Lost[size];
        this.leaving = new Outbox(size);
        this.thread = new Thread(this::run, "medley-post-" + rank);
        thread.setDaemon(true);
    }

    /** The post of a group of one, which has begun. */
    public static Post alone(Clock clock) {
        Post post = new Post(0, 1, List.of(), clock, NS_PER_MINUTE);
        post.begin(
                (peer, silence, broken) ->
                        new Fault(Fault.Kind.PEER, "this worker", "a letter to itself is lost"));
        return post;
    }

    /** Begins to send. Nothing is read before {@link #open}. */
    public void begin(Judge decides) {
        judge = decides;
        thread.start();
    }

    /**
     * From now on letters are taken in, also those that came before.
     *
     * @param mostBytes that a body may have; who sends more is lost
     */
    public void open(long mostBytes, Handler takesIn) {
        lock.lock();
        try {
            intake = new Intake(takesIn, mostBytes);
        } finally {
            lock.unlock();
        }
        poll.wake();
    }

    /** Members, this one included. */
    public int size() {
        return peers.length;
    }

    /** This member's rank. */
    public int rank() {
        return rank;
    }

    /** The clock of its waits and alarms. */
    public Clock clock() {
        return clock;
    }

    /**
     * Sends a copy of a letter, and returns at once. From any thread.
     *
     * @return false if two letters with a body are under way to that member: nothing is sent then.
     *     A letter without a body is always taken
     */
    public boolean offer(int to, Letter letter) {
        boolean isTaken = leaving.offer(to, letter);
        poll.wake();
        return isTaken;
    }

    /**
     * Sends a copy of a letter, however many are under way, and returns at once. For who waits for
     * an answer to each before the next of its kind, which bounds them. From any thread.
     *
     * @param sparedBytes that its body would have had more without a codec
     */
    public void send(int to, Letter letter, long sparedBytes) {
        leaving.put(to, letter);
        traffic.spared(to, sparedBytes);
        poll.wake();
    }

    /**
     * Does something on the post's thread when the clock reads {@code atNs}, in the place of what
     * was to be done before; it must not wait. From any thread.
     */
    public void alarm(long atNs, Runnable action) {
        alarm.set(atNs, action);
        poll.wake();
    }

    /** Says that what somebody waits for may be there. From any thread. */
    public void changed() {
        lock.lock();
        try {
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until something is there that letters bring.
     *
     * @param isThere asked after each {@link #changed}; must not lock anything
     * @param awaited the rank that is waited for, asked at the deadline
     * @return null, or the fault that ended the wait: the epoch's end, a lost member, or the
     *     deadline
     */
    public @Nullable Fault await(BooleanSupplier isThere, IntSupplier awaited) {
        long startNs = clock.nowNs();
        long patientNs = clock.awakeNs();
        int who = rank;
        lock.lock();
        try {
            while (!isThere.getAsBoolean()) {
                Fault ended = ended();
                who = firstLost();
                if (ended != null) {
                    return ended;
                }
                long leftNs = timeoutNs - (clock.awakeNs() - Math.max(patientNs, movedNs));
                if (who >= 0 || leftNs <= 0) {
                    break;
                }
                news.awaitNanos(leftNs);
            }
            if (isThere.getAsBoolean()) {
                return null;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Fault(Fault.Kind.SEALED, "this worker", "the wait was interrupted");
        } finally {
            lock.unlock();
            waitedNs.addAndGet(clock.nowNs() - startNs);
        }
        return who >= 0 ? blameLost(who) : blameSilent(awaited.getAsInt());
    }

    /** The fault that has ended the epoch or is about to, if one has; does not wait. */
    public @Nullable Fault check() {
        int who;
        lock.lock();
        try {
            Fault ended = ended();
            who = firstLost();
            if (ended != null || who < 0) {
                return ended;
            }
        } finally {
            lock.unlock();
        }
        return blameLost(who);
    }

    /** Ends all waits with {@code why}. From any thread. */
    public void end(Fault why) {
        lock.lock();
        try {
            fault = fault == null ? why : fault;
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Time for which {@link #await} has waited since the last call. */
    public long takeWaitedNs() {
        return waitedNs.getAndSet(0);
    }

    /** Hears of bytes by member. */
    @FunctionalInterface
    public interface TrafficListener {
        /** So many bytes went to, were spared on the way to, and came from a member. */
        void moved(int peer, long sentBytes, long sparedBytes, long receivedBytes);
    }

    /** Tells what was moved since the last call. */
    public void takeTraffic(TrafficListener listener) {
        traffic.take(rank, listener);
    }

    /** Stops the thread; letters under way may be lost. The links stay open. */
    @Override
    public void close() {
        isClosed = true;
        poll.wake();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        poll.close();
    }

    private @Nullable Fault ended() {
        if (bug != null) {
            throw new IllegalStateException("the post is broken", bug);
        }
        return fault;
    }

    private int firstLost() {
        for (int peer = 0; peer < lost.length; peer++) {
            if (lost[peer] != null) {
                return peer;
            }
        }
        return -1;
    }

    private Fault blameLost(int peer) {
        Lost how = lost[peer];
        return Objects.requireNonNull(judge).blame(peer, "", how == null ? null : how.broken());
    }

    private Fault blameSilent(int peer) {
        String silence = "sent nothing that was waited for in %.1f s".formatted(timeoutNs / 1e9);
        return Objects.requireNonNull(judge).blame(peer, silence, null);
    }

    // ---- The post's thread

    private void run() {
        try {
            while (!isClosed) {
                long leftNs = alarm.ring(NS_PER_MINUTE);
                if (!turn()) {
                    poll.await(leftNs, ready -> {});
                }
            }
        } catch (RuntimeException | Error e) {
            lock.lock();
            try {
                bug = e;
                news.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Moves what can be moved; whether anything was. What is to leave does so first, since what is
     * done with letters that have come may take its time.
     */
    private boolean turn() {
        Intake takesIn;
        lock.lock();
        try {
            takesIn = intake;
        } finally {
            lock.unlock();
        }
        boolean hasMoved = each(this::write);
        hasMoved |= each((peer, with) -> read(peer, with, takesIn));
        return (takesIn != null && deliverOwn(takesIn)) || hasMoved;
    }

    /** One direction of the way to a member; whether anything moved. */
    @FunctionalInterface
    private interface Direction {
        boolean move(int peer, Correspondent with) throws FaultSignal;
    }

    private boolean each(Direction direction) {
        boolean hasMoved = false;
        for (int peer = 0; peer < peers.length; peer++) {
            Correspondent with = peers[peer];
            if (with != null && lost[peer] == null && move(peer, with, direction)) {
                movedNs = clock.awakeNs();
                hasMoved = true;
            }
        }
        return hasMoved;
    }

    private boolean move(int peer, Correspondent with, Direction direction) {
        try {
            return direction.move(peer, with);
        } catch (FaultSignal broken) {
            lose(peer, with, broken.fault());
            return true;
        }
    }

    private boolean read(int peer, Correspondent with, @Nullable Intake takesIn)
            throws FaultSignal {
        int count = takesIn == null ? 0 : with.read(takesIn);
        if (count < 0) {
            lose(peer, with, null);
            return true;
        }
        traffic.received(peer, count);
        Interest reads = takesIn == null ? Interest.NONE : Interest.READ;
        Interest writes = with.isFree() ? Interest.NONE : Interest.WRITE;
        poll.want(with.link(), Interest.of(reads, writes));
        return count > 0;
    }

    /** Sends on; a letter that is through makes room for the next. */
    private boolean write(int peer, Correspondent with) throws FaultSignal {
        boolean hasMoved = false;
        while (true) {
            Letter next = leaving.next(peer);
            if (next == null) {
                return hasMoved;
            }
            if (with.isFree()) {
                with.send(next);
            }
            int count = with.write();
            traffic.sent(peer, count);
            hasMoved |= count > 0;
            if (!with.isFree()) {
                return hasMoved;
            }
            leaving.gone(peer);
        }
    }

    private boolean deliverOwn(Intake takesIn) {
        boolean isAny = false;
        for (Letter next = leaving.next(rank); next != null; next = leaving.next(rank)) {
            takesIn.handler().received(rank, next);
            leaving.gone(rank);
            isAny = true;
        }
        return isAny;
    }

    private void lose(int peer, Correspondent with, @Nullable Fault broken) {
        poll.want(with.link(), Interest.NONE);
        lock.lock();
        try {
            lost[peer] = new Lost(broken);
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
