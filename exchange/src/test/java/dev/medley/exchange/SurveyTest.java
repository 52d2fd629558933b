package dev.medley.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.WorkerId;
import dev.medley.base.route.LinkFigures;
import dev.medley.base.route.SiteMap;
import dev.medley.base.strategy.StrategySpec.Transport;
import dev.medley.base.time.Clock;
import dev.medley.exchange.route.LinkSurvey;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ways are measured while a group forms, once, and all ranks know the same of them. */
@Tag("real")
class SurveyTest {
    private static final int BUFFER_BYTES = 4096;

    @Test
    void shouldTellAllRanksTheSameOfAllWays() throws Exception {
        try (Ranks ranks = new Ranks(3, Ranks.options().surveying(ExchangeOptions.Survey.WHOLE))) {
            List<LinkSurvey> surveys = surveys(ranks, 1, "a", "b", "c");
            LinkSurvey survey = surveys.get(0);
            assertThat(surveys).containsOnly(survey);
            for (int from = 0; from < 3; from++) {
                for (int to = 0; to < 3; to++) {
                    if (from != to) {
                        assertThat(survey.rates().rate(from, to)).isPositive();
                        assertThat(survey.latencyNs(from, to)).isPositive();
                    }
                }
            }
            LinkFigures figures =
                    survey.figures(SiteMap.of(ranks.at(1, "a", "b", "c")), LinkFigures.assumed());
            assertThat(figures.bandwidths()).isEqualTo(LinkFigures.Origin.MEASURED);
            assertThat(surveys(ranks, 2, "a", "b", "c").get(0).rates()).isEqualTo(survey.rates());
        }
    }

    @Test
    void shouldLookAgainAtWaysThatWereProbedLongAgo() throws Exception {
        Later clock = new Later();
        ExchangeOptions options = Ranks.options().surveying(ExchangeOptions.Survey.WHOLE);
        try (Ranks ranks = new Ranks(2, options, clock)) {
            LinkSurvey first = surveys(ranks, 1, "a", "b").get(0);
            clock.passedNs = Surveying.LASTING_NS / 2;
            assertThat(surveys(ranks, 2, "a", "b").get(0).rates()).isEqualTo(first.rates());
            clock.passedNs = 2 * Surveying.LASTING_NS;
            List<LinkSurvey> again = surveys(ranks, 3, "a", "b");
            assertThat(again).containsOnly(again.get(0));
            assertThat(again.get(0).rates()).isNotEqualTo(first.rates());
        }
    }

    @Test
    void shouldLookAgainAtWaysThatAreForgotten() throws Exception {
        ExchangeOptions options = Ranks.options().surveying(ExchangeOptions.Survey.WHOLE);
        try (Ranks ranks = new Ranks(3, options)) {
            LinkSurvey first = surveys(ranks, 1, "a", "b", "c").get(0);
            ranks.endpoints.forEach(ExchangeEndpoint::forgetWays);
            List<LinkSurvey> again = surveys(ranks, 2, "a", "b", "c");
            assertThat(again).containsOnly(again.get(0));
            assertThat(again.get(0).rates()).isNotEqualTo(first.rates());
            for (int from = 0; from < 3; from++) {
                assertThat(again.get(0).rates().rate(from, (from + 1) % 3)).isPositive();
            }
        }
    }

    /** The machine's clock some time later. */
    private static final class Later implements Clock {
        private volatile long passedNs;

        @Override
        public long nowNs() {
            return Clock.system().nowNs() + passedNs;
        }

        @Override
        public long wallMillis() {
            return Clock.system().wallMillis();
        }
    }

    /** A ring of bytes that were sent to get to know each other is no part of a step. */
    @Test
    void shouldNotCountProbesAsTraffic() throws Exception {
        try (Ranks ranks = new Ranks(2, Ranks.options().surveying(ExchangeOptions.Survey.BRIEF))) {
            List<Collective> all = ranks.form(ranks.at(1, "a", "b"), Transport.TCP, BUFFER_BYTES);
            assertThat(all.get(0).times().bytesSent()).isZero();
            assertThat(all.get(1).times().bytesFromOtherSites()).isZero();
            assertThat(all.get(0).description()).contains("measured").doesNotContain("assumed");
            Ranks.close(all);
        }
    }

    @Test
    void shouldNotLookAtWaysWhereAllAreOnOneMachine() throws Exception {
        try (Ranks ranks = new Ranks(2, Ranks.options())) {
            for (Formation formation :
                    ranks.tryForm(ranks.everyone(1), Transport.TCP, BUFFER_BYTES)) {
                assertThat(((Formation.Formed) formation).survey()).isNull();
                ((Formation.Formed) formation).collective().close();
            }
        }
    }

    /** Whoever cannot be dialled dials, whatever its rank. */
    @Test
    void shouldFormWithAMemberBehindNatWhateverItsRank() throws Exception {
        for (int hidden = 0; hidden < 3; hidden++) {
            try (Ranks ranks = new Ranks(3, Ranks.options())) {
                Group group = Ranks.hiding(ranks.at(1, "a", "a", "b"), hidden);
                Ranks.close(ranks.form(group, Transport.TCP, BUFFER_BYTES));
                WorkerId self = group.members().get(hidden).worker();
                assertThat(ranks.endpoints.get(hidden).reach(group, self, 5_000_000_000L))
                        .containsOnly("");
            }
        }
    }

    @Test
    void shouldSayWhichTwoCannotReachEachOther() throws Exception {
        try (Ranks ranks = new Ranks(2, Ranks.options())) {
            Group group = Ranks.hiding(ranks.at(1, "a", "b"), 0, 1);
            for (Formation formation : ranks.tryForm(group, Transport.TCP, BUFFER_BYTES)) {
                assertThat(((Formation.Failed) formation).fault().message())
                        .contains("worker-0", "worker-1", "behind NAT");
            }
        }
    }

    /** Trains of bytes are longer than all that is said before them. */
    @Test
    void shouldNameThePeerWhoseLinkDropsDuringTheProbe() throws Exception {
        ExchangeOptions options = Ranks.options().surveying(ExchangeOptions.Survey.WHOLE);
        try (Ranks ranks = new Ranks(2, options);
                FrailWay one = new FrailWay(ranks.endpoints.get(0).dataPort(), 10_000);
                FrailWay other = new FrailWay(ranks.endpoints.get(1).dataPort(), 10_000)) {
            Group group = through(ranks.at(1, "a", "b"), one, other);
            List<Formation> formed = ranks.tryForm(group, Transport.TCP, BUFFER_BYTES);
            for (int rank = 0; rank < 2; rank++) {
                assertThat(((Formation.Failed) formed.get(rank)).fault().message())
                        .contains("worker-" + (1 - rank), "while the ways between machines");
            }
        }
    }

    private static Group through(Group group, FrailWay... ways) {
        List<Member> members = new ArrayList<>();
        for (Member member : group.members()) {
            members.add(
                    new Member(
                            member.worker(),
                            "host-" + members.size(),
                            member.site(),
                            member.address(),
                            ways[members.size()].port(),
                            member.kernelKey()));
        }
        return new Group(group.epoch(), members);
    }

    private static List<LinkSurvey> surveys(Ranks ranks, int epoch, String... sites)
            throws Exception {
        List<Formation> formed = ranks.tryForm(ranks.at(epoch, sites), Transport.TCP, BUFFER_BYTES);
        formed.forEach(each -> ((Formation.Formed) each).collective().close());
        return formed.stream()
                .map(each -> Objects.requireNonNull(((Formation.Formed) each).survey()))
                .toList();
    }
}
