package dev.medley.training.loop;

import dev.medley.base.Plan;
import dev.medley.base.route.SiteMap;
import dev.medley.base.strategy.QuorumSpec;
import dev.medley.data.order.SampleRange;
import dev.medley.training.bucket.RoundTable;
import dev.medley.training.strategy.Part;
import java.util.ArrayList;
import java.util.List;

/**
 * The batches of one rank under one plan, into which its shares are cut. The worker computes them
 * one after another: several in a step where workers take steps by themselves, else one. Batches
 * are numbered from 1 on, as if the plan had held since steps have had their present size.
 *
 * <p>Where several ranks take these batches as one, as a team, they have as many each: as many as
 * the team's samples make in batches of {@code innerBatch} for each of its ranks. Each cuts its own
 * share evenly into them, so shares that follow speed end each batch together, and every sample of
 * a share is in one batch. A rank that is a team by itself fills one batch after the other.
 *
 * @param schedule of the run
 * @param plan that cuts each step among the ranks
 * @param rank whose shares these are
 * @param teams which ranks take batches as one
 */
public record ShareBatches(StepSchedule schedule, Plan plan, int rank, SiteMap teams) {
    /** Batches of ranks that take them each by itself. */
    public ShareBatches(StepSchedule schedule, Plan plan, int rank) {
        this(schedule, plan, rank, SiteMap.apart(plan.shares().size()));
    }

    /** This rank's part of a step. */
    Part part(long step) {
        return part(step, Backlog.NONE);
    }

    /** The same of a step that takes over what is behind. */
    Part part(long step, Backlog backlog) {
        List<Integer> counts = new ArrayList<>();
        List<Integer> samples = new ArrayList<>();
        for (int r = 0; r < plan.shares().size(); r++) {
            List<SampleRange> behind = behind(r, backlog);
            counts.add(count(step, r) + behind.size());
            samples.add(
                    schedule.share(step, plan, r).samples()
                            + behind.stream().mapToInt(SampleRange::samples).sum());
        }
        int count = counts.get(rank);
        return new Part(
                step,
                rank,
                plan.shareStart(rank, schedule.samples(step)),
                samples,
                counts,
                plan.microBatch(rank),
                schedule.batches(step),
                i -> schedule.learningRateFactor(step, i, count) * plan.learningRateScale(),
                patience(step));
    }

    /** The last step of an epoch leaves nothing; so none is missed that it could not make up. */
    private Part.Patience patience(long step) {
        if (isLast(step)) {
            return Part.Patience.ALL;
        }
        return isLast(step + 1) ? Part.Patience.BATCH : Part.Patience.NONE;
    }

    private boolean isLast(long step) {
        return schedule.endsEpoch(step) || step == schedule.lastStep();
    }

    /** Batches of a step's shares, before those that {@link #behind} adds. */
    int count(long step) {
        return count(step, rank);
    }

    /** What this rank takes of what is behind, in batches. */
    List<SampleRange> behind(Backlog backlog) {
        return behind(rank, backlog);
    }

    private List<SampleRange> behind(int ofRank, Backlog backlog) {
        if (backlog.isNone()) {
            return List.of();
        }
        List<SampleRange> batches = new ArrayList<>();
        int most = schedule.round().innerBatch();
        for (SampleRange range : backlog.dealt(plan, ofRank)) {
            for (long from = range.from(); from < range.to(); from += most) {
                long to = Math.min(range.to(), from + most);
                batches.add(new SampleRange(range.epoch(), from, to));
            }
        }
        return batches;
    }

    /** What is behind after a step, by what ranks said of it. */
    Backlog after(long step, Backlog before, RoundTable table, QuorumSpec quorum) {
        List<List<SampleRange>> due = new ArrayList<>();
        List<RoundTable.Row> rows = new ArrayList<>();
        for (int r = 0; r < plan.shares().size(); r++) {
            List<SampleRange> own = new ArrayList<>();
            own.add(schedule.share(step, plan, r));
            own.addAll(before.dealt(plan, r));
            due.add(own);
            rows.add(table.row(r));
        }
        Backlog after =
                before.after(new Backlog.Round(step, due, age -> quorum.isTooOld((int) age)), rows);
        if (isLast(step) && !after.isNone()) {
            throw new IllegalStateException("step " + step + " is the last and leaves " + after);
        }
        return after;
    }

    /** The number of a step's first batch. */
    public long first(long step) {
        long done = step - firstStep();
        if (done < stepsOfFirstEpoch()) {
            return done * perStep() + 1;
        }
        long beyond = done - stepsOfFirstEpoch();
        return inFirstEpoch()
                + beyond / schedule.stepsPerEpoch() * perEpoch()
                + beyond % schedule.stepsPerEpoch() * perStep()
                + 1;
    }

    /** The samples of a batch. */
    public SampleRange range(long number) {
        long done = number - 1;
        if (done < inFirstEpoch()) {
            return range(firstStep(), done, stepsOfFirstEpoch());
        }
        long beyond = done - inFirstEpoch();
        long before = beyond / perEpoch() * schedule.stepsPerEpoch();
        return range(
                firstStep() + stepsOfFirstEpoch() + before,
                beyond % perEpoch(),
                schedule.stepsPerEpoch());
    }

    /** The batch {@code done} batches into the {@code steps} steps of an epoch. */
    private SampleRange range(long firstOfEpoch, long done, long steps) {
        long inEpoch = Math.min(done / perStep(), steps - 1);
        long step = firstOfEpoch + inEpoch;
        SampleRange share = schedule.share(step, plan, rank);
        long batch = done - inEpoch * perStep();
        return new SampleRange(
                share.epoch(), border(share, step, batch), border(share, step, batch + 1));
    }

    /** Where a batch of a step's share begins, from 0. */
    private long border(SampleRange share, long step, long batch) {
        long offset =
                team(rank).size() == 1
                        ? batch * schedule.round().innerBatch()
                        : batch * share.samples() / count(step, rank);
        return Math.min(share.to(), share.from() + offset);
    }

    /** The first step that had the present size. */
    private long firstStep() {
        return schedule.sizes().last().fromStep();
    }

    /** Steps from there to the end of the epoch. */
    private long stepsOfFirstEpoch() {
        int samples = schedule.sizes().last().samples();
        long left = schedule.samplesPerEpoch() - schedule.cursor(firstStep()).position();
        return (left + samples - 1) / samples;
    }

    /** Batches of a step that is as long as most; the last of an epoch may have fewer. */
    private long perStep() {
        List<Integer> team = team(rank);
        return batches(team.stream().mapToLong(r -> plan.shares().get(r)).sum(), team.size());
    }

    private long inFirstEpoch() {
        long steps = stepsOfFirstEpoch();
        return (steps - 1) * perStep() + count(firstStep() + steps - 1, rank);
    }

    private long perEpoch() {
        long steps = schedule.stepsPerEpoch();
        long last = firstStep() + stepsOfFirstEpoch() + steps - 1;
        return (steps - 1) * perStep() + count(last, rank);
    }

    /** Batches of a rank in a step: one at least, empty where the share is. */
    private int count(long step, int ofRank) {
        List<Integer> team = team(ofRank);
        long samples = 0;
        for (int mate : team) {
            samples += schedule.share(step, plan, mate).samples();
        }
        return (int) batches(samples, team.size());
    }

    private List<Integer> team(int ofRank) {
        return teams.at(teams.siteOf(ofRank));
    }

    /** Batches of a team's samples. */
    private long batches(long samples, int ranks) {
        long innerBatch = (long) ranks * schedule.round().innerBatch();
        return Math.max(1, (samples + innerBatch - 1) / innerBatch);
    }
}
