package dev.medley.worker;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.WorkerId;
import dev.medley.base.job.ClusterSpec;
import dev.medley.base.time.Clock;
import dev.medley.exchange.Collective;
import dev.medley.exchange.ExchangeEndpoint;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.Message;
import dev.medley.net.control.Message.FromWorker;
import dev.medley.net.control.ProtocolException;
import dev.medley.net.door.JoinSecret;
import dev.medley.net.membership.PauseKind;
import dev.medley.net.membership.Seat;
import dev.medley.net.membership.View;
import dev.medley.net.tls.Credentials;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Carries a worker's conversation with its coordinator: sends its messages, and queues the orders
 * that come.
 *
 * <p>A seal is answered at once, on the reading thread: the seat is sealed, the collective aborted,
 * the progress reported, while the worker may still be busy with a step that it can no longer
 * apply. A pause is only noted down; the task proposes it to its peers with the next step. A
 * coordinator whose connection ends is gone, and so is one that is silent for some peer timeouts:
 * the worker keeps what it holds and leaves.
 */
public final class WorkerSession implements ControlConnection.Handler, AutoCloseable {
    private static final long PROBE_NS = TimeUnit.SECONDS.toNanos(4);

    private final Clock clock;
    private final Seat seat;
    private final BlockingQueue<Order> orders = new LinkedBlockingQueue<>();

    private final ControlConnection connection;
    private final Object news = new Object(); // Told of what is recorded, paused or ended.
    private boolean isWelcome; // Of the connection's thread.
    private volatile long lastHeardNs;
    private volatile int pausedEpoch;
    private volatile long recordedStep;
    private volatile @Nullable WorkerId self;
    private volatile boolean isAskedToHurry;
    private volatile boolean isEndAsked; // Set on the connection's thread alone.
    private volatile boolean closing;
    private volatile @Nullable Collective collective;
    private volatile @Nullable ExchangeEndpoint endpoint;
    private volatile long peerTimeoutNs = TimeUnit.SECONDS.toNanos(60);

    /** What the coordinator orders, for the worker's thread. */
    public sealed interface Order {
        /** Work at this. */
        record Welcomed(Message.Welcome welcome) implements Order {}

        /** Take part in this. */
        record Formed(View view) implements Order {}

        /** Say how long so many samples take by yourself. */
        record Try(int samples) implements Order {}

        /** Leave. */
        record Closed(boolean saveFirst, String why) implements Order {}

        /** Keep what is there and leave: the coordinator is gone. */
        record Orphaned(String why) implements Order {}
    }

    private WorkerSession(
            InetSocketAddress coordinator,
            @Nullable Credentials credentials,
            JoinSecret pass,
            Seat seat,
            Clock clock)
            throws IOException {
        this.clock = clock;
        this.seat = seat;
        this.lastHeardNs = clock.awakeNs();
        this.connection =
                ControlConnection.connect(
                        coordinator, TimeUnit.SECONDS.toNanos(10), credentials, pass, this);
    }

    /**
     * Connects and says hello.
     *
     * @param credentials of this machine; null for plain text on loopback
     * @param pass of the run
     */
    public static WorkerSession open(
            InetSocketAddress coordinator,
            @Nullable Credentials credentials,
            JoinSecret pass,
            Message.Hello hello,
            Seat seat,
            Clock clock)
            throws IOException {
        WorkerSession session = new WorkerSession(coordinator, credentials, pass, seat, clock);
        session.say(hello);
        return session;
    }

    /** Says something; never blocks. */
    public void say(FromWorker message) {
        connection.send(message);
    }

    /** Begins to show signs of life and to expect them, on a thread of its own. */
    public void beginBeating(Message.Welcome welcome) {
        peerTimeoutNs = welcome.peerTimeoutNs();
        Thread beating = new Thread(() -> beat(welcome.heartbeatNs()), "heartbeat");
        beating.setDaemon(true);
        beating.start();
    }

    /** The next order; a coordinator that is lost is an order to leave. */
    public Order awaitOrder() throws InterruptedException {
        while (true) {
            Order order = orders.poll(Math.max(1, peerTimeoutNs), TimeUnit.NANOSECONDS);
            if (order != null) {
                return order;
            }
            if (isGone()) {
                return new Order.Orphaned(silence());
            }
        }
    }

    /** Whether the coordinator has not been heard for longer than the peer timeout. */
    public boolean isCoordinatorSilent() {
        return clock.awakeNs() - lastHeardNs > peerTimeoutNs;
    }

    /** Whether the coordinator, or its end, has said more than once that it is time to leave. */
    public boolean isAskedToHurry() {
        return isAskedToHurry;
    }

    /** The coordinator has recorded the steps up to this one. */
    public long recordedStep() {
        return recordedStep;
    }

    /**
     * Waits until a step beyond this one is recorded, or the group of {@code epoch} is to end.
     *
     * @return the step up to which all is recorded
     */
    public long awaitRecorded(long step, int epoch) throws InterruptedException {
        synchronized (news) {
            while (recordedStep <= step && !isPauseWanted(epoch) && seat.isOpen(epoch)) {
                news.wait();
            }
        }
        return recordedStep;
    }

    private void tell() {
        synchronized (news) {
            news.notifyAll();
        }
    }

    private boolean isGone() {
        return (clock.awakeNs() - lastHeardNs) / ClusterSpec.COORDINATOR_PATIENCE > peerTimeoutNs;
    }

    private String silence() {
        return "the coordinator is silent for %.1f s"
                .formatted((clock.awakeNs() - lastHeardNs) / 1e9);
    }

    /** Whether the coordinator wants this epoch to pause. */
    public boolean isPauseWanted(int epoch) {
        return pausedEpoch == epoch || closing;
    }

    /** Whether the user, or the coordinator, wants the end: no other reason for a pause is one. */
    public boolean isEndWanted() {
        return isEndAsked || closing;
    }

    /** The endpoint whose forming is called off when the epoch is sealed. */
    public void use(ExchangeEndpoint opened) {
        endpoint = opened;
    }

    /** The collective to abort when the epoch is sealed. */
    public void useCollective(@Nullable Collective current) {
        collective = current;
    }

    @Override
    public void received(ControlConnection from, Message message) {
        lastHeardNs = clock.awakeNs();
        boolean isEarly = message instanceof Message.Welcome || message instanceof Message.Close;
        ProtocolException.check(
                isWelcome || isEarly || message instanceof Message.Beat,
                "%s before the welcome",
                message.getClass().getSimpleName());
        if (message instanceof Message.Welcome welcome) {
            ProtocolException.check(!isWelcome, "a second welcome");
            isWelcome = true;
            self = welcome.worker();
            orders.add(new Order.Welcomed(welcome));
        } else if (message instanceof Message.Form form) {
            orders.add(new Order.Formed(form.view()));
        } else if (message instanceof Message.Try alone) {
            orders.add(new Order.Try(alone.samples()));
        } else if (message instanceof Message.Close close) {
            leave(close.saveFirst(), close.why());
        } else if (message instanceof Message.Beat beat) {
            recordedStep = beat.recordedStep();
            tell();
        } else if (message instanceof Message.Probe probe) {
            probe(probe);
        } else if (message instanceof Message.Pause pause) {
            isEndAsked |= pause.kind() == PauseKind.END;
            pausedEpoch = pause.epoch();
            tell();
        } else if (message instanceof Message.Seal seal) {
            var progress = seat.seal(seal.epoch());
            abort(seal.epoch(), new Fault(Fault.Kind.SEALED, "coordinator", seal.why()));
            from.send(new Message.Sealed(seal.epoch(), progress));
            tell();
        } else {
            ProtocolException.check(
                    message instanceof Message.Beat,
                    "the coordinator says %s to a worker",
                    message.getClass().getSimpleName());
        }
    }

    @Override
    public void closed(ControlConnection ended, String why) {
        orphaned("the connection to the coordinator is " + why);
    }

    @Override
    public void close() {
        closing = true;
        connection.closeAfterSending(TimeUnit.SECONDS.toNanos(5));
    }

    /** Breaks off without a word. From any thread. */
    void drop() {
        connection.close();
        orphaned("the connection to the coordinator is dropped");
    }

    private void leave(boolean saveFirst, String why) {
        leave(new Order.Closed(saveFirst, why), why);
    }

    private void orphaned(String why) {
        leave(new Order.Orphaned(why), why);
    }

    private void leave(Order last, String why) {
        isAskedToHurry = closing;
        closing = true;
        orders.add(last);
        tell();
        abort(Integer.MAX_VALUE, new Fault(Fault.Kind.SEALED, "coordinator", why));
    }

    /** Takes seconds where nobody answers, and needs nothing of the worker's thread. */
    private void probe(Message.Probe probe) {
        ExchangeEndpoint dialling = endpoint;
        WorkerId own = self;
        if (dialling == null || own == null) {
            return;
        }
        Thread thread =
                new Thread(
                        () -> {
                            Group all = new Group(1, probe.members());
                            List<String> why = dialling.reach(all, own, PROBE_NS);
                            Map<Integer, String> byWorker = new TreeMap<>();
                            for (int rank = 0; rank < all.size(); rank++) {
                                int worker = all.members().get(rank).worker().value();
                                byWorker.put(worker, why.get(rank));
                            }
                            say(new Message.Probed(byWorker));
                        },
                        "probe");
        thread.setDaemon(true);
        thread.start();
    }

    private void abort(int epoch, Fault why) {
        ExchangeEndpoint forming = endpoint;
        if (forming != null) {
            forming.callOff(epoch, why);
        }
        Collective current = collective;
        if (current != null) {
            current.abort(why);
        }
    }

    private void beat(long everyNs) {
        try {
            while (!closing) {
                say(new Message.Alive(seat.progress().step()));
                if (isGone()) {
                    orphaned(silence());
                }
                TimeUnit.NANOSECONDS.sleep(everyNs);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
