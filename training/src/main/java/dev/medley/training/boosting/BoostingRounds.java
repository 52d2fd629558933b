package dev.medley.training.boosting;

import dev.medley.base.ConfigException;
import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.Plan;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.exchange.Collective;
import dev.medley.tensor.model.StepLoss;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.Tail;
import dev.medley.training.strategy.Feed;
import dev.medley.training.strategy.OwnRows;
import dev.medley.training.strategy.Part;
import dev.medley.training.strategy.Strategy;
import dev.medley.training.strategy.Update;
import dev.medley.trees.PeerGoneException;
import dev.medley.trees.TreeLearner;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Trains trees: a step is a round, in which every member grows the same trees from the rows of its
 * share. The sums of a tree's levels travel while it grows, in XGBoost's collective; the step's own
 * exchange carries the loss and the wishes, and a round counts when that is done. A round that does
 * not count is cut off again, so that all members hold the trees of the same rounds.
 *
 * <p>A member keeps its rows from round to round, in file order. Another plan deals them out anew.
 */
public final class BoostingRounds implements Strategy {
    private final TreeLearner learner;
    private final Rows source;
    private final TreeMeeting meeting;
    private @Nullable Plan plan;
    private @Nullable Group group;
    private @Nullable Collective collective;
    private List<Integer> dealt = List.of();
    private int applied;
    private @Nullable Span arriving;
    private @Nullable Fault fault;

    /** Training rows of which some have to stay together. */
    public interface Rows extends OwnRows {
        /** The first row from this one on at which a share may begin; all of them at the end. */
        long border(long row);
    }

    /**
     * A strategy for one member.
     *
     * @param patienceNs with a peer that is silent within a round
     */
    public BoostingRounds(TreeLearner learner, Rows source, long patienceNs) {
        this.learner = learner;
        this.source = source;
        this.meeting = new TreeMeeting(learner, patienceNs);
    }

    @Override
    public void planned(Plan next) {
        plan = next;
    }

    @Override
    public void formed(Group next) {
        throw new IllegalStateException("trees need a group that exchanges");
    }

    @Override
    public void formed(Group next, Collective with) {
        requireOneSite(next);
        meeting.end();
        group = next;
        collective = with;
        dealt = List.of();
        fault = null;
    }

    @Override
    public void continued(Group next, Collective with) {
        group = next;
        collective = with;
    }

    /** What travels is plain, and sites are no one's own network. */
    private static void requireOneSite(Group group) {
        List<String> sites = group.members().stream().map(Member::site).distinct().toList();
        ConfigException.check(
                sites.size() == 1,
                "members are at the sites %s, and what trees exchange cannot be encrypted: train"
                        + " them on machines of one site",
                String.join(", ", sites));
        for (Member member : group.members()) {
            ConfigException.check(
                    group.size() == 1 || member.isDialled(),
                    "%s cannot be reached by the others, which growing trees together needs: start"
                            + " its agent with --advertise",
                    member.worker());
        }
    }

    @Override
    public @Nullable StepLoss compute(Part part, Feed feed, Buckets buckets) {
        try {
            return compute(part);
        } catch (PeerGoneException e) {
            meeting.end();
            fault = new Fault(Fault.Kind.PEER, "trees", roundOf(part) + ": " + e.getMessage());
            return null;
        }
    }

    private static String roundOf(Part part) {
        return "round " + part.step();
    }

    private @Nullable StepLoss compute(Part part) {
        List<Integer> growers = growers(part);
        if (!meeting.isOf(growers)) {
            dealt = List.of(); // Who comes together takes rows anew, as all others do.
        }
        fault = meeting.gather(requireGroup(), requireCollective(), growers);
        if (fault != null) {
            return null;
        }
        if (!growers.contains(part.rank())) {
            dealt = List.of();
            return StepLoss.NONE;
        }
        takeRows(part);
        return learner.grow();
    }

    /**
     * Ranks that have rows; a rank without any has no part in the sums, whose order would differ.
     */
    private List<Integer> growers(Part part) {
        return IntStream.range(0, part.shares().size())
                .filter(rank -> first(rank) < end(rank))
                .boxed()
                .toList();
    }

    /** Who has no rows takes the trees of one who has, when the step's sums are done. */
    private @Nullable Fault tellTheIdle(Part part) {
        List<Integer> growers = growers(part);
        Set<Integer> idle = new HashSet<>();
        IntStream.range(0, part.shares().size()).forEach(idle::add);
        growers.forEach(idle::remove);
        if (idle.isEmpty()) {
            return null;
        }
        int from = growers.get(0);
        boolean isSource = part.rank() == from;
        byte[] trees = isSource ? learner.trees() : new byte[0];
        Span length = Span.allocate(Integer.BYTES);
        length.buffer().putInt(trees.length);
        Fault broken = requireCollective().copy(from, idle, List.of(length));
        if (broken != null) {
            return broken;
        }
        Span copy = Span.allocate(length.buffer().getInt());
        copy.buffer().put(trees);
        broken = requireCollective().copy(from, idle, List.of(copy));
        if (broken == null && idle.contains(part.rank())) {
            learner.load(bytes(copy));
        }
        return broken;
    }

    /** All who grow take rows anew, or none: the first round after that has sums of its own. */
    private void takeRows(Part part) {
        List<Integer> shares = requirePlan().shares();
        if (!shares.equals(dealt)) {
            long first = first(part.rank());
            long end = end(part.rank());
            learner.learnFrom(
                    Math.toIntExact(end - first), taker -> source.between(first, end, taker));
            dealt = shares;
        }
    }

    private long first(int rank) {
        return source.border(requirePlan().shareStart(rank, source.count()));
    }

    private long end(int rank) {
        return source.border(requirePlan().shareEnd(rank, source.count()));
    }

    private Plan requirePlan() {
        return Objects.requireNonNull(plan, "no plan");
    }

    private Group requireGroup() {
        return Objects.requireNonNull(group, "no group");
    }

    private Collective requireCollective() {
        return Objects.requireNonNull(collective, "no group");
    }

    private static byte[] bytes(Span span) {
        byte[] bytes = new byte[Math.toIntExact(span.bytes())];
        span.buffer().get(bytes);
        return bytes;
    }

    /** Members wait for each other's sums at each level of a tree, in XGBoost's collective. */
    @Override
    public boolean waitsByItself() {
        return true;
    }

    @Override
    public String remedy() {
        return "Lower model.learning_rate, and train anew";
    }

    /** It reads its rows by itself, and once. */
    @Override
    public boolean takesBatches() {
        return false;
    }

    @Override
    public @Nullable Fault fault() {
        return fault;
    }

    @Override
    public Update update(Part part, Tail tail) {
        fault = tellTheIdle(part);
        return new Update() {
            @Override
            public void run() {
                applied = learner.rounds();
            }

            @Override
            public double learningRateFactor() {
                return 1;
            }

            @Override
            public double gradientNorm() {
                return Double.NaN;
            }
        };
    }

    @Override
    public void discarded() {
        learner.cutTo(applied);
    }

    @Override
    public List<NamedSpan> state() {
        Span next = arriving;
        return List.of(
                next == null
                        ? TreeLearner.named(learner.trees())
                        : new NamedSpan(
                                TreeLearner.TREES,
                                ElementType.UINT8,
                                new long[] {next.bytes()},
                                next));
    }

    @Override
    public void resize(String name, long bytes) {
        arriving = Span.allocate(bytes);
    }

    @Override
    public void restored() {
        Span next = arriving;
        if (next != null) {
            arriving = null;
            learner.load(bytes(next));
            applied = learner.rounds();
        }
    }

    @Override
    public long bytes() {
        return 0;
    }

    @Override
    public void close() {
        meeting.end();
    }
}
