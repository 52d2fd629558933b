package dev.medley.api.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.agent.AgentRun;
import dev.medley.base.Member;
import dev.medley.base.time.Clock;
import dev.medley.control.agent.AgentOptions;
import dev.medley.control.agent.AgentOptions.PortRange;
import dev.medley.control.agent.AgentOptions.TokenSource;
import dev.medley.net.door.LocalTokens;
import dev.medley.net.tls.JoinCredentials;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Holds an agent on a thread, for one run, with its worker on another. */
public final class AgentThread implements AutoCloseable {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(90);

    private final List<String> said = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Boolean> end = new CompletableFuture<>();
    private final WorkerThreads workers = new WorkerThreads();
    private final AgentRun agent;

    /**
     * How an agent joins.
     *
     * @param link which others reach it over; null for none
     * @param credentials folder of its certificate; null for none
     * @param copies whether it fetches what it could see
     */
    public record Join(
            String name,
            String site,
            @Nullable SlowLink link,
            @Nullable Path credentials,
            boolean isBehindNat,
            boolean copies) {
        /** At no site, in plain text, with its files where they are. */
        public static Join as(String name) {
            return new Join(name, Member.NO_SITE, null, null, false, false);
        }

        /** The same at a site. */
        public Join at(String where) {
            return new Join(name, where, link, credentials, isBehindNat, copies);
        }

        /** The same at a site of its own, which others reach over a link. */
        public Join behind(SlowLink way) {
            return new Join(name, name + "-site", way, credentials, isBehindNat, copies);
        }

        /** The same with a certificate. */
        public Join with(Path certificate) {
            return new Join(name, site, link, certificate, isBehindNat, copies);
        }

        /** The same where nobody can dial it. */
        public Join behindNat() {
            return new Join(name, site, link, credentials, true, copies);
        }

        /** The same with copies of all files. */
        public Join copying() {
            return new Join(name, site, link, credentials, isBehindNat, true);
        }

        private @Nullable String advertised() {
            return isBehindNat ? Member.NOT_DIALLED : link == null ? null : link.host();
        }
    }

    private AgentThread(AgentOptions options) {
        agent = AgentRun.of(options, workers, said::add);
    }

    /** Starts one that joins that coordinator, with a folder of its name in another. */
    public static AgentThread start(InetSocketAddress coordinator, Path parent, Join join) {
        try {
            Path own = Files.createDirectories(parent.resolve(join.name()));
            SlowLink link = join.link();
            AgentOptions options =
                    new AgentOptions(
                            coordinator,
                            join.credentials(),
                            token(join.credentials()),
                            join.name(),
                            join.site(),
                            null,
                            join.advertised(),
                            link == null ? PortRange.ANY : new PortRange(link.port(), link.port()),
                            own,
                            join.copies(),
                            AgentOptions.Stay.ONE_RUN);
            AgentThread started = new AgentThread(options);
            Thread thread = new Thread(started::serve, "agent-" + join.name());
            thread.setDaemon(true);
            thread.start();
            return started;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static TokenSource token(@Nullable Path credentials) {
        if (credentials == null) {
            return LocalTokens.ofThisUser()::at;
        }
        String token = JoinCredentials.load(credentials, Clock.system()).token();
        return any -> token;
    }

    private void serve() {
        try {
            end.complete(agent.run());
        } catch (InterruptedException | RuntimeException | Error e) {
            end.completeExceptionally(e);
        }
    }

    /** All that it said. */
    public String said() {
        return String.join("\n", said);
    }

    /** Asks it to leave after the step under way, as its owner does. */
    public void leave() {
        agent.leave();
    }

    /** Waits for its end; whether that was as it was meant to. */
    public boolean ended() throws InterruptedException {
        try {
            return end.get(PATIENCE_NS, TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError(said(), e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("the agent does not end:\n" + said(), e);
        }
    }

    /** Asked twice to leave: at once. */
    @Override
    public void close() throws Exception {
        if (!end.isDone()) {
            agent.leave();
            agent.leave();
            assertThat(end.handle((in, error) -> true).get(PATIENCE_NS, TimeUnit.NANOSECONDS))
                    .isTrue();
        }
    }
}
