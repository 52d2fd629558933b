package dev.medley.exchange;

import dev.medley.base.Clock;
import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.WorkerId;
import dev.medley.base.job.StrategySpec;
import dev.medley.exchange.shared.SegmentFolder;
import dev.medley.net.link.LinkListener;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A worker's side of all exchanges: one listening port for the life of the process, one {@link
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

    // Guarded by this.
    private int lastEpoch;
    private @Nullable Forming forming;

    private ExchangeEndpoint(ExchangeOptions options, Clock clock, Mapper mapper) {
        this.options = options;
        this.clock = clock;
        this.mapper = mapper;
        this.run = name(options.runToken());
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
        Forming attempt = begin(group, self);
        if (bufferBytes >= LARGE_BYTES) {
            System.gc(); // Memory of the epoch before the last is not held any more.
        }
        if (group.size() == 1) {
            return new Formation.Formed(new SoloCollective(mapper.reserve(bufferBytes)));
        }
        return attempt.form(listener, transport, bufferBytes);
    }

    /** Groups that are formed from now on exchange through its codec, and wait at most so long. */
    public void exchangeAs(StrategySpec strategy, long stepTimeoutNs) {
        ExchangeOptions now = options;
        options =
                now.compressing(strategy.compress(), strategy.codec())
                        .waitingAtMost(now.formTimeoutNs(), stepTimeoutNs);
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

    /** Closes the port. A collective that was formed goes on. */
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
        Forming attempt = new Forming(options, mapper, run, clock, group, self);
        forming = attempt;
        return attempt;
    }

    /** Names the run without giving its token away. */
    private static String name(String token) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(("name of " + token).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, RUN_NAME_BYTES);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }
}
