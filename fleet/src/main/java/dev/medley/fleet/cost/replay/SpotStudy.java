package dev.medley.fleet.cost.replay;

import static dev.medley.base.ConfigException.check;

import dev.medley.fleet.cost.market.SpotGrid;
import dev.medley.fleet.cost.market.SpotMarket;
import dev.medley.fleet.cost.spot.SpotJob;
import dev.medley.fleet.cost.spot.SpotPolicy;
import java.util.ArrayList;
import java.util.List;

/** Plays jobs of several lengths, deadlines and starts over a market, under several policies. */
public final class SpotStudy {
    private SpotStudy() {}

    /** A row for each length, slack, start and policy, in this order. */
    public static List<SpotRow> rows(
            SpotMarket market, List<SpotPolicy> policies, SpotQuestion question) {
        SpotGrid grid = market.grid(question.costs().stepS());
        List<SpotRow> rows = new ArrayList<>();
        for (double lengthS : question.lengthsS()) {
            for (double slack : question.slacks()) {
                SpotJob job = job(lengthS, slack, question);
                for (int firstStep : starts(market, grid, job, question)) {
                    double optimum = ClairvoyantOptimum.of(grid, firstStep, job);
                    for (SpotPolicy policy : policies) {
                        ReplayOutcome outcome = SpotReplay.of(grid, firstStep, job, policy);
                        rows.add(
                                new SpotRow(
                                        market.name(),
                                        lengthS,
                                        slack,
                                        firstStep,
                                        policy.name(),
                                        outcome,
                                        optimum));
                    }
                }
            }
        }
        return rows;
    }

    /** Work and deadline in whole steps; the deadline leaves time for one restart at least. */
    private static SpotJob job(double lengthS, double slack, SpotQuestion question) {
        SpotQuestion.Costs costs = question.costs();
        double workS = Math.ceil(lengthS / costs.stepS()) * costs.stepS();
        double deadlineS = Math.floor(slack * workS / costs.stepS()) * costs.stepS();
        return new SpotJob(
                workS,
                Math.max(deadlineS, workS + costs.restartS()),
                costs.stepS(),
                costs.restartS(),
                costs.egress());
    }

    private static List<Integer> starts(
            SpotMarket market, SpotGrid grid, SpotJob job, SpotQuestion question) {
        int from = (int) Math.ceil(question.watchS() / grid.stepS());
        int length = (int) Math.ceil(job.deadlineS() / grid.stepS());
        int last = grid.stepCount() - length;
        check(
                from <= last,
                "%s: its %.1f h of log hold no job with a deadline after %.1f h; take shorter jobs"
                        + " or more of the log",
                market.name(),
                grid.stepCount() * grid.stepS() / 3600,
                job.deadlineS() / 3600);
        List<Integer> starts = new ArrayList<>();
        for (int i = 0; i < question.starts(); i++) {
            int start =
                    question.starts() == 1
                            ? from
                            : from + (int) ((long) (last - from) * i / (question.starts() - 1));
            if (starts.isEmpty() || starts.get(starts.size() - 1) != start) {
                starts.add(start);
            }
        }
        return starts;
    }
}
