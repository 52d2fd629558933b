package dev.medley.record.entry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.record.entry.LinkTotals.Reach;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Bytes by link, before and after compression. */
@Tag("unit")
class LinkTotalsTest {
    private static RunSummary summary(RunTally tally) {
        return tally.summary(RunStatus.DONE, "done", null, 1, 0, 0);
    }

    @Test
    void shouldAddUpByLinkAndSayWhatASampleCost() {
        RunTally tally = new RunTally(0);
        tally.step(
                new StepRecord(
                        1,
                        0,
                        1,
                        1,
                        1,
                        1,
                        null,
                        100,
                        0,
                        1,
                        List.of(new WorkerTimes(1, 100, 1, 0, 0, 0, 0, 0))));
        tally.link(new LinkTotals(1, 2, Reach.BETWEEN_SITES, 3_000, 12_000));
        tally.link(new LinkTotals(1, 2, Reach.BETWEEN_SITES, 300, 1_200));
        tally.link(new LinkTotals(2, 1, Reach.BETWEEN_SITES, 3_000, 12_000));
        tally.link(new LinkTotals(1, 3, Reach.INSIDE_SITE, 9_999, 9_999));
        RunSummary summary = summary(tally);
        assertThat(summary.links())
                .containsExactly(
                        new LinkTotals(1, 2, Reach.BETWEEN_SITES, 3_300, 13_200),
                        new LinkTotals(1, 3, Reach.INSIDE_SITE, 9_999, 9_999),
                        new LinkTotals(2, 1, Reach.BETWEEN_SITES, 3_000, 12_000));
        assertThat(summary.betweenSites())
                .isEqualTo(
                        "Between sites 63 bytes a sample (252 without a codec), 6.15 KiB in all");
        assertThat(summary(RunTally.after(summary, 1)).links()).isEqualTo(summary.links());
    }

    @Test
    void shouldSayWhatWasRelayedThroughWhomAndNotCountItAgain() {
        RunTally tally = new RunTally(0);
        tally.link(new LinkTotals(2, 3, Reach.BETWEEN_SITES, 3_000, 3_000));
        String before = summary(tally).betweenSites();
        tally.relayed(new RelayTotals(1, 2, 3, 1_024));
        tally.relayed(new RelayTotals(1, 3, 2, 512));
        tally.relayed(new RelayTotals(1, 2, 3, 2_048));
        RunSummary summary = summary(tally);
        assertThat(summary.betweenSites()).isEqualTo(before);
        assertThat(summary.throughRelays())
                .isEqualTo(
                        "Relayed, each byte over the relay's links in and out: worker-2 to worker-3"
                                + " through worker-1: 3.00 KiB, worker-3 to worker-2 through"
                                + " worker-1: 512 B");
        assertThat(summary(RunTally.after(summary, 1)).relayed()).isEqualTo(summary.relayed());
        String older = Json.line(summary(new RunTally(0))).replace("\"relayed\":[],", "");
        assertThat(Json.parse(older, RunSummary.class).throughRelays()).isEmpty();
    }

    @Test
    void shouldSayNothingWhereNothingWentBetweenSites() {
        assertThat(summary(new RunTally(0)).betweenSites()).isEmpty();
    }

    @Test
    void shouldReadRecordsOfBeforeThereWereLinksAndSites() {
        RunSummary summary = summary(new RunTally(0));
        String older = Json.line(summary).replace("\"links\":[],", "");
        assertThat(older).doesNotContain("links");
        assertThat(Json.parse(older, RunSummary.class).links()).isEmpty();
        String plan = Json.line(Runs.plan(1, 1, dev.medley.base.time.Clock.system()));
        String olderPlan = plan.replace("\"sites\":[\"a\",\"a\",\"b\"],", "");
        assertThat(olderPlan).doesNotContain("sites");
        assertThat(Json.parse(olderPlan, PlanRecord.class).sites()).isEmpty();
        String predicting = plan.replaceFirst("\"plan\":", "\"predictedSamplesPerSecond\":null,$0");
        assertThat(predicting).isNotEqualTo(plan);
        assertThat(Json.parse(predicting, PlanRecord.class))
                .isEqualTo(Json.parse(plan, PlanRecord.class));
    }
}
