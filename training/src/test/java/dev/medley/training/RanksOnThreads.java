package dev.medley.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.WorkerId;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Transport;
import dev.medley.base.time.Clock;
import dev.medley.exchange.Collective;
import dev.medley.exchange.ExchangeEndpoint;
import dev.medley.exchange.ExchangeOptions;
import dev.medley.exchange.Formation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/** The ranks of a group as threads of this JVM, with a real exchange between them. */
public final class RanksOnThreads implements AutoCloseable {
    private final List<ExchangeEndpoint> endpoints = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** What one rank does. */
    public interface Role<T> {
        T play(Collective collective);
    }

    private final List<String> sites;
    private final Transport transport;

    /** So many at one site. */
    public RanksOnThreads(int count) {
        this(
                Collections.nCopies(count, Member.NO_SITE),
                Transport.AUTO,
                Compress.NONE,
                CodecSpec.DEFAULT);
    }

    /** One at each of these sites, joined by TCP and a codec between sites. */
    public RanksOnThreads(List<String> sites, Compress compress, CodecSpec codec) {
        this(sites, Transport.TCP, compress, codec);
    }

    /** One at each of these sites, joined so. */
    public RanksOnThreads(List<String> sites, Transport transport) {
        this(sites, transport, Compress.NONE, CodecSpec.DEFAULT);
    }

    private RanksOnThreads(
            List<String> sites, Transport transport, Compress compress, CodecSpec codec) {
        this.sites = sites;
        this.transport = transport;
        ExchangeOptions options =
                ExchangeOptions.of("token-" + UUID.randomUUID()).compressing(compress, codec);
        for (int rank = 0; rank < sites.size(); rank++) {
            endpoints.add(ExchangeEndpoint.open(options, Clock.system()));
        }
    }

    /** The next group is the one before, joined by another codec. */
    public void goOnWith(Compress compress, CodecSpec codec) {
        for (ExchangeEndpoint endpoint : endpoints) {
            endpoint.exchangeAs(
                    StrategySpec.defaults().with(compress, codec), TimeUnit.SECONDS.toNanos(60));
            endpoint.keepResiduals();
        }
    }

    /** The group of all of them. */
    public Group group(int epoch) {
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < endpoints.size(); i++) {
            members.add(
                    new Member(
                            new WorkerId(i),
                            ExchangeEndpoint.hostKey(),
                            sites.get(i),
                            "127.0.0.1",
                            endpoints.get(i).dataPort(),
                            "kernels"));
        }
        return new Group(epoch, members);
    }

    /** Each rank joins the group and plays its role on a thread of its own; in order of rank. */
    public <T> List<T> play(int epoch, long bufferBytes, Role<T> role) throws Exception {
        Group group = group(epoch);
        return play(
                rank -> endpoints.get(rank).form(group, new WorkerId(rank), transport, bufferBytes),
                role);
    }

    /** The same, with letters beside the sums. */
    public <T> List<T> playWithPosts(int epoch, long bufferBytes, Role<T> role) throws Exception {
        Group group = group(epoch);
        return play(
                rank ->
                        endpoints
                                .get(rank)
                                .formWithPost(
                                        group, new WorkerId(rank), transport, bufferBytes, null),
                role);
    }

    private <T> List<T> play(IntFunction<Formation> forming, Role<T> role) throws Exception {
        return inParallel(
                rank -> {
                    Formation formation = forming.apply(rank);
                    assertThat(formation).isInstanceOf(Formation.Formed.class);
                    try (Collective collective = ((Formation.Formed) formation).collective()) {
                        return role.play(collective);
                    }
                });
    }

    /** Where a rank meets the others. */
    public ExchangeEndpoint endpoint(int rank) {
        return endpoints.get(rank);
    }

    /** Each rank does this on a thread of its own; in order of rank. */
    public <T> List<T> inParallel(IntFunction<T> work) throws Exception {
        List<Future<T>> futures = new ArrayList<>();
        for (int i = 0; i < endpoints.size(); i++) {
            int rank = i;
            futures.add(threads.submit(() -> work.apply(rank)));
        }
        List<T> results = new ArrayList<>();
        List<Exception> failed = new ArrayList<>();
        for (Future<T> future : futures) {
            try {
                results.add(future.get(10, TimeUnit.MINUTES));
            } catch (ExecutionException e) {
                failed.add(e);
            } catch (TimeoutException e) {
                failed.add(e);
                break; // The others had as long.
            }
        }
        if (!failed.isEmpty()) {
            Exception first = failed.remove(0);
            failed.forEach(first::addSuppressed); // One of them is why the others failed.
            throw first;
        }
        return results;
    }

    @Override
    public void close() {
        endpoints.forEach(ExchangeEndpoint::close);
        threads.shutdownNow();
    }
}
