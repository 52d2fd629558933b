package dev.medley.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.StepTag;
import dev.medley.base.WorkerId;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.base.route.RelayChoice;
import dev.medley.base.strategy.StrategySpec.Transport;
import dev.medley.net.link.RelayedBytes;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Sums of groups in which two or more are behind NAT: nobody is told where they listen, and a third
 * joins them.
 */
@Tag("real")
@Timeout(600)
class RelayedSumTest {
    private static final long FORM_NS = 10_000_000_000L;
    private static final long STEP_NS = 800_000_000L;
    private static final long REACH_NS = 5_000_000_000L;
    private static final int BYTES = 12 << 20;

    private static Group group(Ranks ranks, int epoch, String sites) {
        boolean isOneSite = sites.chars().distinct().count() == 1;
        return isOneSite ? ranks.apart(epoch) : ranks.at(epoch, sites.split(""));
    }

    /** Step after step with slices of all kinds; all ranks hold the same, which is returned. */
    private static ByteBuffer sums(Ranks ranks, Group group) throws Exception {
        List<Collective> all = ranks.form(group, Transport.TCP, BYTES);
        List<ByteBuffer> buffers =
                ranks.play(
                        all,
                        each -> {
                            Values.fill(each.buffer(), ElementType.FLOAT32, 7, each.rank());
                            int step = 1;
                            for (int elements : new int[] {1, 10_000, 600_001, BYTES / 4}) {
                                each.begin(new StepTag(group.epoch(), step++, 1));
                                each.sum(0, 4L * elements, ElementType.FLOAT32);
                                assertThat(each.finish()).isNull();
                                each.applied();
                            }
                            ByteBuffer kept = ByteBuffer.allocate(BYTES);
                            return kept.put(each.buffer().buffer()).flip();
                        });
        Ranks.close(all);
        assertThat(buffers).allMatch(buffers.get(0)::equals);
        return buffers.get(0);
    }

    @ParameterizedTest
    @CsvSource({"aaa,0", "aaa,1", "abc,2", "aba,1", "aab,0"})
    void shouldSumToTheSameBitsAsWithoutARelay(String sites, int relay) throws Exception {
        try (Ranks ranks = new Ranks(3, Ranks.options())) {
            ByteBuffer direct = sums(ranks, group(ranks, 1, sites));
            int[] others = {(relay + 1) % 3, (relay + 2) % 3};
            ByteBuffer relayed = sums(ranks, Ranks.hiding(group(ranks, 2, sites), others));
            assertThat(relayed).isEqualTo(direct);
        }
    }

    /** Two that could be dialled and do not reach each other: the third joins them. */
    @Test
    void shouldSumToTheSameBitsAcrossACut() throws Exception {
        try (Ranks ranks = new Ranks(3, Ranks.options())) {
            ByteBuffer direct = sums(ranks, ranks.apart(1));
            Group apart = ranks.apart(2);
            List<WorkerId> ids = apart.members().stream().map(Member::worker).toList();
            Group cut =
                    new Group(2, apart.members(), List.of(new Group.Cut(ids.get(0), ids.get(2))));
            assertThat(RelayChoice.of(cut).between(0, 2)).hasValue(1);
            assertThat(RelayChoice.of(cut).between(0, 1)).isEmpty();
            assertThat(sums(ranks, cut)).isEqualTo(direct);
        }
    }

    /** Ten pairs, two relays: what is to be made at one end is made in the same order as there. */
    @Test
    void shouldFormWhereManyPairsNeedRelays() throws Exception {
        try (Ranks ranks = new Ranks(7, Ranks.options())) {
            Group group = Ranks.hiding(ranks.apart(1), 0, 1, 3, 4, 6);
            List<Collective> all = ranks.form(group, Transport.TCP, 4096);
            List<Float> sums =
                    ranks.play(
                            all,
                            each -> {
                                each.buffer().buffer().putFloat(0, 1 + each.rank());
                                each.begin(new StepTag(1, 1, 1));
                                each.sum(0, 4096, ElementType.FLOAT32);
                                assertThat(each.finish()).isNull();
                                return each.buffer().buffer().getFloat(0);
                            });
            assertThat(sums).containsOnly(28f);
            Ranks.close(all);
        }
    }

    @Test
    void shouldReachEachOtherThroughTheRelayOrSayThatItIsNotThere() throws Exception {
        try (Ranks ranks = new Ranks(3, Ranks.options())) {
            Group group = Ranks.hiding(ranks.apart(1), 1, 2);
            assertThat(ranks.endpoints.get(1).reach(group, new WorkerId(1), REACH_NS))
                    .containsOnly("");
            ranks.endpoints.get(0).close();
            assertThat(ranks.endpoints.get(1).reach(group, new WorkerId(1), REACH_NS).get(2))
                    .contains("cannot reach worker-0");
        }
    }

    /** Rank 0 does not begin, so the sum is under way when the relay ends. */
    @Test
    void shouldEndTheSumAtBothEndsWhenTheRelayEndsAndFormAnewWithAnother() throws Exception {
        ExchangeOptions options = Ranks.options().waitingAtMost(FORM_NS, FORM_NS);
        try (Ranks ranks = new Ranks(4, options)) {
            Group group = Ranks.hiding(ranks.apart(1), 2, 3);
            List<Collective> all = ranks.form(group, Transport.TCP, BYTES);
            List<Future<Fault>> faults =
                    List.of(
                            ranks.start(() -> sumAll(all.get(2))),
                            ranks.start(() -> sumAll(all.get(3))));
            ranks.endpoints.get(0).close();
            assertThat(faults)
                    .allSatisfy(
                            each ->
                                    assertThat(each.get(120, TimeUnit.SECONDS).message())
                                            .contains("(through worker-0)", "step 1, epoch 1"));
            Ranks.close(all);
            Group next = Ranks.hiding(ranks.group(2, 1, 2, 3), 1, 2);
            Ranks.close(ranks.form(next, Transport.TCP, BYTES));
        }
    }

    @Test
    void shouldSayThatASilentPeerIsReachedThroughARelay() throws Exception {
        try (Ranks ranks = new Ranks(3, Ranks.options().waitingAtMost(FORM_NS, STEP_NS))) {
            Group group = Ranks.hiding(ranks.apart(1), 1, 2);
            List<Collective> all = ranks.form(group, Transport.TCP, BYTES);
            Fault fault = all.get(1).copy(2, Set.of(1), List.of(Span.allocate(64)));
            assertThat(fault.who()).isEqualTo("worker-2");
            assertThat(fault.message()).contains("worker-2 silent", "(through worker-0)");
            Ranks.close(all);
        }
    }

    @Test
    void shouldNameARelayThatFallsSilentAndNotThePeerBehindIt() throws Exception {
        try (Ranks ranks = new Ranks(3, Ranks.options().waitingAtMost(FORM_NS, STEP_NS));
                FrailWay way = new FrailWay(ranks.endpoints.get(0).dataPort(), Long.MAX_VALUE)) {
            Group group = Ranks.hiding(ranks.apart(1, way.port()), 1, 2);
            List<Collective> all = ranks.form(group, Transport.TCP, BYTES);
            way.fallSilent();
            Fault fault = all.get(1).copy(2, Set.of(1), List.of(Span.allocate(64)));
            assertThat(fault.who()).isEqualTo("worker-0");
            assertThat(fault.message())
                    .startsWith("worker-0 silent for ")
                    .contains("and so is worker-2, which it relays for")
                    .doesNotContain("through");
            Ranks.close(all);
        }
    }

    @Test
    void theRelayShouldCountWhatItHandsOnForEachPairAndItsOwnNot() throws Exception {
        try (Ranks ranks = new Ranks(3, Ranks.options())) {
            sums(ranks, Ranks.hiding(ranks.apart(1), 1, 2));
            List<RelayedBytes> relayed = ranks.endpoints.get(0).takeRelayed(1);
            assertThat(relayed)
                    .extracting(RelayedBytes::fromRank, RelayedBytes::toRank)
                    .containsExactly(tuple(1, 2), tuple(2, 1));
            assertThat(relayed.stream().mapToLong(RelayedBytes::bytes).sum())
                    .as("what two of three ranks send each other to sum more than that")
                    .isGreaterThan(BYTES);
            assertThat(relayed)
                    .as("each byte once, greetings and notes beside")
                    .allSatisfy(each -> assertThat(each.bytes()).isLessThan(2 * BYTES));
            assertThat(ranks.endpoints.get(0).takeRelayed(1))
                    .as("taken, but for farewells that came since")
                    .allSatisfy(each -> assertThat(each.bytes()).isLessThan(100));
            assertThat(ranks.endpoints.get(1).takeRelayed(1)).as("no relay").isEmpty();
        }
    }

    @Test
    void shouldNameWhoDoesNotComeToTheRelay() throws Exception {
        try (Ranks ranks = new Ranks(3, Ranks.options().waitingAtMost(2 * STEP_NS, STEP_NS))) {
            Group group = Ranks.hiding(ranks.apart(1), 1, 2);
            Future<Formation> relay = ranks.start(() -> form(ranks, group, 0));
            assertThat(((Formation.Failed) form(ranks, group, 1)).fault().message())
                    .isEqualTo("worker-2 did not join epoch 1 in time (through worker-0)");
            assertThat(relay.get(120, TimeUnit.SECONDS)).isInstanceOf(Formation.Failed.class);
        }
    }

    private static Formation form(Ranks ranks, Group group, int rank) {
        return ranks.endpoints.get(rank).form(group, new WorkerId(rank), Transport.TCP, BYTES);
    }

    private static Fault sumAll(Collective each) {
        each.begin(new StepTag(1, 1, 1));
        each.sum(0, BYTES, ElementType.FLOAT32);
        return each.finish();
    }
}
