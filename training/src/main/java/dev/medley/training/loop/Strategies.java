package dev.medley.training.loop;

import dev.medley.base.job.JobSpec;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.strategy.AsyncSpec;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.tensor.convex.LinearFit;
import dev.medley.tensor.convex.LinearLearner;
import dev.medley.tensor.model.Learner;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.optimizer.Optimizer;
import dev.medley.training.convex.ConvexRule;
import dev.medley.training.gossip.GossipSteps;
import dev.medley.training.rounds.LocalSteps;
import dev.medley.training.rounds.QuorumSteps;
import dev.medley.training.rounds.StreamedSteps;
import dev.medley.training.server.ServerSteps;
import dev.medley.training.strategy.EveryStep;
import dev.medley.training.strategy.GradientRule;
import dev.medley.training.strategy.LocalMomentum;
import dev.medley.training.strategy.Memory;
import dev.medley.training.strategy.OneBitAdam;
import dev.medley.training.strategy.Strategy;

/** Makes the strategy that a job names for what learns by gradients, and hands over between two. */
public final class Strategies {
    private Strategies() {}

    /**
     * The strategy of a job, for one worker's learner: a replica, or a linear model whose steps
     * take all samples.
     */
    public static Strategy of(JobSpec job, Learner learner) {
        return learner instanceof LinearLearner linear
                ? new EveryStep(new ConvexRule(new LinearFit(linear, job.train().optimizer())))
                : of(job, (Replica) learner);
    }

    /**
     * The strategy of a job, for one worker's replica; while it is to be chosen, data-parallel
     * stands in.
     */
    public static Strategy of(JobSpec job, Replica replica) {
        OptimizerSpec rule = job.train().optimizer();
        AsyncSpec async = job.strategy().async();
        double clipNorm = job.train().clipNorm();
        return switch (job.strategy().whileOpen().kind()) {
            case DATA_PARALLEL -> everyStep(job, replica);
            case LOCAL_SGD, DILOCO -> rounds(job, replica);
            case HYBRID ->
                    LocalSteps.ofSites(
                            replica, replica.optimizer(rule), job.strategy().round(), clipNorm);
            case PARAMETER_SERVER ->
                    new ServerSteps(
                            replica,
                            new ServerSteps.Settings(
                                    rule,
                                    async,
                                    job.train().batch(),
                                    clipNorm,
                                    job.cluster().workers(),
                                    job.strategy().compress(),
                                    job.strategy().codec()));
            case GOSSIP -> gossip(job, replica);
            case AUTO -> throw new IllegalStateException("auto is one of the others");
        };
    }

    /**
     * Hands over what two strategies have in common when one takes the place of the other in a run:
     * the state of the run by name (the moments of data-parallel, the momentum of the common step),
     * and what each worker holds for itself, where the one after holds the like. The rest begins
     * anew. Moments of workers that went their own ways are of no use to one whose members, or
     * mates at a site, have to hold equal ones.
     */
    public static void carry(Strategy before, Strategy after) {
        Memory.copy(before.state(), after.state());
        if (after.takesMomentsOf(before)) {
            Memory.copy(before.moments(), after.moments());
        }
    }

    private static Strategy everyStep(JobSpec job, Replica replica) {
        OptimizerSpec rule = job.train().optimizer();
        if (job.strategy().codec().correctsMomentum()) {
            return new EveryStep(
                    GradientRule.sending(
                            replica,
                            replica.optimizer(rule.withoutMomentum()),
                            new LocalMomentum(replica, rule)));
        }
        if (job.strategy().compress() == Compress.ONEBIT && rule.isAdam()) {
            Optimizer adam = replica.optimizer(rule);
            long exactSteps = job.strategy().codec().exactSteps();
            return new EveryStep(
                    GradientRule.sending(
                            replica, adam, new OneBitAdam(replica, adam, rule, exactSteps)));
        }
        return new EveryStep(
                new GradientRule(
                        replica,
                        replica.optimizer(rule),
                        job.train().clipNorm(),
                        job.train().batches().measuresNoise()));
    }

    private static Strategy gossip(JobSpec job, Replica replica) {
        Optimizer inner = replica.optimizer(job.train().optimizer());
        GossipSteps.Settings settings =
                new GossipSteps.Settings(
                        job.strategy().async().mixEvery(), job.seed(), job.train().clipNorm());
        return new GossipSteps(replica, inner, settings);
    }

    private static Strategy rounds(JobSpec job, Replica replica) {
        RoundSpec round = job.strategy().round();
        Optimizer inner = replica.optimizer(job.train().optimizer());
        double clipNorm = job.train().clipNorm();
        if (!round.quorum().isNone()) {
            return new QuorumSteps(replica, inner, round, clipNorm);
        }
        return round.stream().isNone()
                ? new LocalSteps(replica, inner, round, clipNorm)
                : new StreamedSteps(replica, inner, round, clipNorm);
    }
}
