package dev.medley.exchange;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.MeasuredRoute;
import dev.medley.base.Sha256;
import dev.medley.base.WorkerId;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.time.Clock;
import dev.medley.exchange.post.Post;
import dev.medley.exchange.shared.SegmentFolder;
import dev.medley.exchange.tcp.Residuals;
import dev.medley.net.link.Lane;
import dev.medley.net.link.LinkListener;
import dev.medley.net.link.Reach;
import dev.medley.net.link.RelayedBytes;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Forms the collectives of a worker: one listening port for the life of the process, one {@link
 * Collective} per epoch. The training thread forms; {@link #callOff} and {@link #close} may come
 * from any thread.
 */
public final class ExchangeEndpoint implements AutoCloseable {
    private static final int RUN_NAME_BYTES = 8;
    private static final long LARGE_BYTES = 64L << 20;

    private volatile ExchangeOptions options;
    private final Clock clock;
    private final Mapper mapper;
    private final String run;
    private final LinkListener listener;

    /** Belongs to who forms. */
    private final Forming.Known known;

    /** Belongs to who forms. */
    private boolean keepsResiduals;

    // Guarded by this.
    private int lastEpoch;
    private @Nullable Forming forming;

    private ExchangeEndpoint(ExchangeOptions options, Clock clock, Mapper mapper) {
        this.options = options;
        this.clock = clock;
        this.mapper = mapper;
        this.run = name(options.runToken());
        this.known = new Forming.Known(new Surveying(options.survey(), clock), new Residuals());
        this.listener =
                LinkListener.open(
                        new InetSocketAddress(options.bindAddress(), options.port()),
                        options.runToken(),
                        options.security(),
                        clock);
        new SegmentFolder(options.sharedFolder(), clock).sweep();
    }

    /**
     * Opens the endpoint of this process.
     *
     * @throws dev.medley.base.ConfigException if the port cannot be had
     */
    public static ExchangeEndpoint open(ExchangeOptions options, Clock clock) {
        return open(options, clock, Mapper.inChunks());
    }

    /** The same with exchange memory from {@code mapper}. */
    public static ExchangeEndpoint open(ExchangeOptions options, Clock clock, Mapper mapper) {
        return new ExchangeEndpoint(options, clock, mapper);
    }

    /** The port on which peers find this process. */
    public int dataPort() {
        return listener.port();
    }

    /**
     * Equal for two processes exactly if they can share memory: the same running kernel, the same
     * {@code /dev/shm} and the same user. Where there is no {@code /dev/shm} it is different for
     * each process.
     */
    public static String hostKey() {
        return HostKey.of();
    }

    /**
     * Connects to all members of the group and agrees with them on the transport: shared memory if
     * it is not ruled out, all are on one host and it has room for everyone's buffer, else TCP. All
     * members come to the same transport; its description says why it is not shared memory.
     *
     * @param group whose epoch is higher than that of every group formed before here
     * @param bufferBytes length of the exchange buffer, the same for all
     * @return the collective, or the fault, after the deadline of the options at the latest
     */
    public Formation form(
            Group group, WorkerId self, StrategySpec.Transport transport, long bufferBytes) {
        return form(group, self, transport, bufferBytes, null);
    }

    /**
     * The same, with sums that follow what another group measured, all members alike. Where that is
     * not the usual order the transport is TCP, since shared memory knows no other.
     *
     * @param route null for what this group measures
     */
    public Formation form(
            Group group,
            WorkerId self,
            StrategySpec.Transport transport,
            long bufferBytes,
            @Nullable MeasuredRoute route) {
        return form(group, self, transport, bufferBytes, route, lanes(group, route));
    }

    /**
     * The same, with a {@link Collective#post} beside the sums: letters travel over a connection of
     * their own between any two members. All members ask for it, or none.
     */
    public Formation formWithPost(
            Group group,
            WorkerId self,
            StrategySpec.Transport transport,
            long bufferBytes,
            @Nullable MeasuredRoute route) {
        List<Lane> lanes = Lane.withPost(lanes(group, route));
        return form(group, self, transport, bufferBytes, route, lanes);
    }

    /** A group that repeats what one of several machines measured sums as that did. */
    private static List<Lane> lanes(Group group, @Nullable MeasuredRoute route) {
        return route == null || route.isUsual() ? Lane.of(group) : Lane.ofMachines();
    }

    private Formation form(
            Group group,
            WorkerId self,
            StrategySpec.Transport transport,
            long bufferBytes,
            @Nullable MeasuredRoute route,
            List<Lane> lanes) {
        if (!keepsResiduals) {
            known.residuals().forget();
        }
        keepsResiduals = false;
        Forming attempt = begin(group, self);
        if (bufferBytes >= LARGE_BYTES) {
            System.gc(); // Memory of the epoch before the last is not held any more.
        }
        if (group.size() == 1) {
            Post post = lanes.contains(Lane.POST) ? Post.alone(clock) : null;
            return new Formation.Formed(
                    new SoloCollective(mapper.reserve(bufferBytes), post),
                    null,
                    MeasuredRoute.NONE);
        }
        return attempt.form(listener, transport, bufferBytes, route, lanes);
    }

    /**
     * The next group that forms here is the one before under another plan: the same members in the
     * same order, whose last step was applied by all or by none. What codecs left out is sent on
     * then, through whatever codec; in any other group it begins anew. By who forms.
     */
    public void keepResiduals() {
        keepsResiduals = true;
    }

    /**
     * Forgets what earlier groups measured of the paths between machines: the next group that forms
     * here probes all of them that a first group would probe. All its members forget, or none. By
     * who forms.
     */
    public void forgetWays() {
        known.surveying().forget();
    }

    /** Groups that are formed from now on exchange through its codec, and wait at most so long. */
    public void exchangeAs(StrategySpec strategy, long stepTimeoutNs) {
        ExchangeOptions now = options;
        options =
                now.compressing(strategy.compress(), strategy.codec())
                        .waitingAtMost(now.formTimeoutNs(), stepTimeoutNs);
    }

    /**
     * Dials all other members at the addresses that they advertise, at the same time. Of two of
     * whom one cannot be dialled only that one dials; of two of whom neither can, both dial their
     * {@linkplain dev.medley.base.route.RelayChoice relay}.
     *
     * @param timeoutNs longest wait for each
     * @return by rank: empty for who answered and for {@code self}, else one sentence why not
     */
    public List<String> reach(Group group, WorkerId self, long timeoutNs) {
        int rank = group.rankOf(self);
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int peer = 0; peer < group.size(); peer++) {
            CompletableFuture<String> answer = new CompletableFuture<>();
            answers.add(answer);
            int dialled = peer;
            Runnable dial = () -> answer.complete(reach(group, rank, dialled, timeoutNs));
            Thread thread = new Thread(dial, "reach-" + peer);
            thread.setDaemon(true);
            thread.start();
        }
        return answers.stream().map(CompletableFuture::join).toList();
    }

    private static boolean isDialledBy(Group group, int rank, int peer) {
        return group.members().get(peer).isDialled() || !group.members().get(rank).isDialled();
    }

    /** Never throws: who asks waits for an answer. */
    private String reach(Group group, int rank, int peer, long timeoutNs) {
        try {
            return peer == rank || !isDialledBy(group, rank, peer)
                    ? ""
                    : Reach.check(listener, group, rank, peer, clock, timeoutNs);
        } catch (RuntimeException e) {
            return "cannot dial %s: %s".formatted(group.members().get(peer).worker(), e);
        }
    }

    /**
     * The bytes that this process has forwarded between members of an epoch that cannot reach each
     * other, since the last call; its own traffic is not counted. From any thread.
     */
    public List<RelayedBytes> takeRelayed(int epoch) {
        return listener.takeRelayed(epoch);
    }

    /** Ends a {@link #form} that is under way for an epoch up to {@code epoch}. */
    public void callOff(int epoch, Fault why) {
        Forming attempt;
        synchronized (this) {
            attempt = lastEpoch <= epoch ? forming : null;
        }
        if (attempt != null) {
            attempt.callOff(why);
            listener.nudge();
        }
    }

    /**
     * Closes the port. A collective that was formed goes on, unless members of it are joined
     * through this process: their links end.
     */
    @Override
    public void close() {
        listener.close();
    }

    private synchronized Forming begin(Group group, WorkerId self) {
        if (group.epoch() <= lastEpoch) {
            throw new IllegalStateException(
                    "epoch %d after epoch %d: epochs grow".formatted(group.epoch(), lastEpoch));
        }
        lastEpoch = group.epoch();
        listener.retireBelow(lastEpoch);
        Forming attempt = new Forming(options, mapper, run, clock, group, self, known);
        forming = attempt;
        return attempt;
    }

    /** Names the run without giving its token away. */
    private static String name(String token) {
        return Sha256.hex("name of " + token).substring(0, 2 * RUN_NAME_BYTES);
    }
}
