package dev.medley.training.worker;

import dev.medley.base.Clock;
import dev.medley.base.Fault;
import dev.medley.exchange.Collective;
import dev.medley.exchange.ExchangeEndpoint;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.Message;
import dev.medley.net.control.Message.FromWorker;
import dev.medley.net.control.ProtocolException;
import dev.medley.net.door.Pass;
import dev.medley.net.membership.Seat;
import dev.medley.net.membership.View;
import dev.medley.net.tls.Credentials;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A worker's conversation with its coordinator.
 *
 * <p>A seal is answered at once, on the reading thread: the seat is sealed, the collective aborted,
 * the progress reported, while the training thread may still be busy with a step that it can no
 * longer apply. A pause is only noted down; the training thread proposes it to its peers with the
 * next step. A coordinator that is silent for longer than the peer timeout is gone, and so is the
 * run: the worker leaves.
 */
public final class WorkerSession implements ControlConnection.Handler, AutoCloseable {
    private final Clock clock;
    private final Seat seat;
    private final BlockingQueue<Order> orders = new LinkedBlockingQueue<>();

    private final ControlConnection connection;
    private boolean isWelcome; // Of the connection's thread.
    private volatile long lastHeardNs;
    private volatile int pausedEpoch;
    private volatile boolean closing;
    private volatile @Nullable Collective collective;
    private volatile @Nullable ExchangeEndpoint endpoint;
    private volatile long peerTimeoutNs = TimeUnit.SECONDS.toNanos(60);

    /** What the coordinator orders, for the training thread. */
    public sealed interface Order {
        /** Train this. */
        record Welcomed(Message.Welcome welcome) implements Order {}

        /** Take part in this. */
        record Formed(View view) implements Order {}

        /** Say how long so many samples take by yourself. */
        record Try(int samples) implements Order {}

        /** Leave. */
        record Closed(boolean saveFirst, String why) implements Order {}
    }

    private WorkerSession(
            InetSocketAddress coordinator,
            @Nullable Credentials credentials,
            Pass pass,
            Seat seat,
            Clock clock)
            throws IOException {
        this.clock = clock;
        this.seat = seat;
        this.lastHeardNs = clock.nowNs();
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
            Pass pass,
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
            long silentNs = clock.nowNs() - lastHeardNs;
            if (silentNs > peerTimeoutNs) {
                return new Order.Closed(
                        false, "the coordinator is silent for %.1f s".formatted(silentNs / 1e9));
            }
        }
    }

    /** Whether the coordinator wants this epoch to pause. */
    public boolean isPauseWanted(int epoch) {
        return pausedEpoch == epoch || closing;
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
        lastHeardNs = clock.nowNs();
        boolean isEarly = message instanceof Message.Welcome || message instanceof Message.Close;
        ProtocolException.check(
                isWelcome || isEarly || message instanceof Message.Beat,
                "%s before the welcome",
                message.getClass().getSimpleName());
        if (message instanceof Message.Welcome welcome) {
            ProtocolException.check(!isWelcome, "a second welcome");
            isWelcome = true;
            orders.add(new Order.Welcomed(welcome));
        } else if (message instanceof Message.Form form) {
            orders.add(new Order.Formed(form.view()));
        } else if (message instanceof Message.Try alone) {
            orders.add(new Order.Try(alone.samples()));
        } else if (message instanceof Message.Close close) {
            leave(close.saveFirst(), close.why());
        } else if (message instanceof Message.Pause pause) {
            pausedEpoch = pause.epoch();
        } else if (message instanceof Message.Seal seal) {
            var progress = seat.seal(seal.epoch());
            abort(seal.epoch(), new Fault(Fault.Kind.SEALED, "coordinator", seal.why()));
            from.send(new Message.Sealed(seal.epoch(), progress));
        } else {
            ProtocolException.check(
                    message instanceof Message.Beat,
                    "the coordinator says %s to a worker",
                    message.getClass().getSimpleName());
        }
    }

    @Override
    public void closed(ControlConnection ended, String why) {
        leave(false, "the connection to the coordinator is " + why);
    }

    @Override
    public void close() {
        closing = true;
        connection.closeAfterSending(TimeUnit.SECONDS.toNanos(5));
    }

    private void leave(boolean saveFirst, String why) {
        closing = true;
        orders.add(new Order.Closed(saveFirst, why));
        abort(Integer.MAX_VALUE, new Fault(Fault.Kind.SEALED, "coordinator", why));
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
                if (clock.nowNs() - lastHeardNs > peerTimeoutNs) {
                    leave(false, "the coordinator is silent");
                }
                TimeUnit.NANOSECONDS.sleep(everyNs);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
