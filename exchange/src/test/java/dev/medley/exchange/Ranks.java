package dev.medley.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Group;
import dev.medley.base.MeasuredRoute;
import dev.medley.base.Member;
import dev.medley.base.WorkerId;
import dev.medley.base.strategy.StrategySpec.Transport;
import dev.medley.base.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** Several ranks as threads of this JVM, joined by real sockets and real shared memory. */
final class Ranks implements AutoCloseable {
    private static final long SECOND_NS = 1_000_000_000L;

    final List<ExchangeEndpoint> endpoints = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** What one rank does. */
    interface Role<T> {
        T play(Collective collective) throws Exception;
    }

    static ExchangeOptions options() {
        return ExchangeOptions.of("token-" + UUID.randomUUID())
                .waitingAtMost(60 * SECOND_NS, 60 * SECOND_NS)
                .surveying(ExchangeOptions.Survey.NONE);
    }

    Ranks(int count, ExchangeOptions options) {
        this(count, options, Clock.system());
    }

    Ranks(int count, ExchangeOptions options, Clock clock) {
        for (int rank = 0; rank < count; rank++) {
            endpoints.add(ExchangeEndpoint.open(options, clock));
        }
    }

    /** A group of the endpoints with these indices. */
    Group group(int epoch, int... indices) {
        List<Member> members = new ArrayList<>();
        for (int index : indices) {
            members.add(
                    new Member(
                            new WorkerId(index),
                            ExchangeEndpoint.hostKey(),
                            Member.NO_SITE,
                            "127.0.0.1",
                            endpoints.get(index).dataPort(),
                            "kernels"));
        }
        return new Group(epoch, members);
    }

    /** A group of all endpoints, each at the site that is named for it. */
    Group at(int epoch, String... sites) {
        List<Member> members = new ArrayList<>();
        for (Member member : everyone(epoch).members()) {
            members.add(
                    new Member(
                            member.worker(),
                            member.hostKey(),
                            sites[members.size()],
                            member.address(),
                            member.dataPort(),
                            member.kernelKey()));
        }
        return new Group(epoch, members);
    }

    /** A group of all endpoints at one site, each as if on a machine of its own. */
    Group apart(int epoch) {
        return apart(everyone(epoch));
    }

    /** The same group, each member as if on a machine of its own. */
    static Group apart(Group group) {
        List<Member> members = new ArrayList<>();
        for (Member member : group.members()) {
            members.add(
                    new Member(
                            member.worker(),
                            "host-" + members.size(),
                            member.site(),
                            member.address(),
                            member.dataPort(),
                            member.kernelKey()));
        }
        return new Group(group.epoch(), members);
    }

    /** The same, where the first is reached at this port. */
    Group apart(int epoch, int firstPort) {
        List<Member> members = new ArrayList<>(apart(epoch).members());
        Member first = members.get(0);
        members.set(
                0,
                new Member(
                        first.worker(),
                        first.hostKey(),
                        first.site(),
                        first.address(),
                        firstPort,
                        first.kernelKey()));
        return new Group(epoch, members);
    }

    /** The same group with members that cannot be dialled, as behind NAT. */
    static Group hiding(Group group, int... ranks) {
        List<Member> members = new ArrayList<>(group.members());
        for (int rank : ranks) {
            Member seen = members.get(rank);
            members.set(
                    rank,
                    new Member(
                            seen.worker(),
                            seen.hostKey(),
                            seen.site(),
                            Member.NOT_DIALLED,
                            0,
                            seen.kernelKey()));
        }
        return new Group(group.epoch(), members);
    }

    Group everyone(int epoch) {
        int[] all = new int[endpoints.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = i;
        }
        return group(epoch, all);
    }

    /** Forms the group; all must succeed. In order of rank. */
    List<Collective> form(Group group, Transport transport, long bytes) throws Exception {
        List<Collective> collectives = new ArrayList<>();
        for (Formation formation : tryForm(group, transport, bytes)) {
            assertThat(formation).isInstanceOf(Formation.Formed.class);
            collectives.add(((Formation.Formed) formation).collective());
        }
        return collectives;
    }

    /** The same, with sums that follow what another group measured. */
    List<Collective> form(Group group, Transport transport, long bytes, MeasuredRoute route)
            throws Exception {
        return inParallel(
                group.size(),
                rank -> {
                    WorkerId self = group.members().get(rank).worker();
                    Formation formation =
                            endpoints.get(self.value()).form(group, self, transport, bytes, route);
                    return ((Formation.Formed) formation).collective();
                });
    }

    /** The same, with letters beside the sums. */
    List<Collective> formWithPosts(Group group, Transport transport, long bytes) throws Exception {
        return inParallel(
                group.size(),
                rank -> {
                    WorkerId self = group.members().get(rank).worker();
                    Formation formation =
                            endpoints
                                    .get(self.value())
                                    .formWithPost(group, self, transport, bytes, null);
                    return ((Formation.Formed) formation).collective();
                });
    }

    List<Formation> tryForm(Group group, Transport transport, long bytes) throws Exception {
        return inParallel(
                group.size(),
                rank -> {
                    WorkerId self = group.members().get(rank).worker();
                    return endpoints.get(self.value()).form(group, self, transport, bytes);
                });
    }

    /** Each rank plays its role on a thread of its own. */
    <T> List<T> play(List<Collective> collectives, Role<T> role) throws Exception {
        return inParallel(
                collectives.size(),
                rank -> {
                    try {
                        return role.play(collectives.get(rank));
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                });
    }

    <T> Future<T> start(java.util.concurrent.Callable<T> work) {
        return threads.submit(work);
    }

    private <T> List<T> inParallel(int count, IntFunction<T> work) throws Exception {
        List<Future<T>> futures = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int index = i;
            futures.add(threads.submit(() -> work.apply(index)));
        }
        List<T> results = new ArrayList<>();
        for (Future<T> future : futures) {
            results.add(future.get(120, TimeUnit.SECONDS));
        }
        return results;
    }

    static void close(List<Collective> collectives) {
        collectives.forEach(Collective::close);
    }

    @Override
    public void close() {
        endpoints.forEach(ExchangeEndpoint::close);
        threads.shutdownNow();
    }
}
