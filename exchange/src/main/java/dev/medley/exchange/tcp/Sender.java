package dev.medley.exchange.tcp;

import dev.medley.base.Fault;
import dev.medley.net.link.FaultSignal;
import dev.medley.net.link.Interest;
import dev.medley.net.link.Link;
import dev.medley.net.link.LinkPoll;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sends an outflow on a thread of its own while the role's holder receives and adds. It is given
 * one outflow at a time; a fault it meets is kept for the holder to find.
 */
final class Sender implements AutoCloseable {
    private static final long LOOK_AGAIN_NS = 100_000_000;

    private final Link next;
    private final Runnable whenDone;
    private final LinkPoll poll = new LinkPoll();
    private final Thread thread;

    private volatile @Nullable Outflow job;
    private volatile boolean isIdle;
    private volatile boolean isClosed;
    private volatile @Nullable Fault fault;

    /**
     * A sender to one peer.
     *
     * @param whenDone called on the sender's thread when an outflow is through or has failed
     */
    Sender(Link next, Runnable whenDone) {
        this.next = next;
        this.whenDone = whenDone;
        this.thread = new Thread(this::run, "medley-sender-to-" + next.peer());
        thread.setDaemon(true);
        thread.start();
    }

    /** Sends this from now on; what was given before is through. */
    void take(Outflow outflow) {
        job = outflow;
        LockSupport.unpark(thread);
    }

    /** More may be sent. */
    void nudge() {
        if (isIdle) {
            LockSupport.unpark(thread);
        }
    }

    /** Whether the sender has let go of what it was given. */
    boolean isDone() {
        return job == null;
    }

    /** What went wrong, or null. */
    @Nullable Fault fault() {
        return fault;
    }

    /** Stops, at the latest when the link is closed. */
    @Override
    public void close() {
        isClosed = true;
        poll.wake();
        LockSupport.unpark(thread);
    }

    private void run() {
        try (poll) {
            while (!isClosed) {
                Outflow outflow = job;
                if (outflow == null) {
                    LockSupport.park(this);
                    continue;
                }
                send(outflow);
                job = null;
                whenDone.run();
            }
        }
    }

    private void send(Outflow outflow) {
        try {
            while (!outflow.isDone() && !isClosed) {
                if (!outflow.isReady()) {
                    awaitMore(outflow);
                } else if (!outflow.send()) {
                    poll.want(next, Interest.WRITE);
                    poll.await(LOOK_AGAIN_NS, ready -> {});
                    poll.want(next, Interest.NONE);
                }
            }
        } catch (FaultSignal signal) {
            fault = signal.fault();
        }
    }

    private void awaitMore(Outflow outflow) {
        isIdle = true;
        if (!outflow.isReady()) {
            LockSupport.parkNanos(this, LOOK_AGAIN_NS);
        }
        isIdle = false;
    }
}
