package dev.medley.training.worker;

import dev.medley.base.ConfigException;
import dev.medley.base.evaluation.EvaluationReport;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.OptimizerSpec.QuasiNewton;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.SpanSource;
import dev.medley.base.model.FactorSpec;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.encoding.Encoding;
import dev.medley.inference.model.FactorModels;
import dev.medley.inference.model.KMeansModels;
import dev.medley.inference.model.TreeModels;
import dev.medley.store.file.ScratchMemory;
import dev.medley.tensor.convex.LinearLearner;
import dev.medley.tensor.factor.AlternatingSolver;
import dev.medley.tensor.factor.FactorLearner;
import dev.medley.tensor.factor.RowRule;
import dev.medley.tensor.kmeans.KMeansFit;
import dev.medley.tensor.kmeans.KMeansLearner;
import dev.medley.tensor.kmeans.MiniBatchFit;
import dev.medley.tensor.model.Learner;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.ReplicaOptions;
import dev.medley.training.boosting.BoostingRounds;
import dev.medley.training.factor.AlternatingRounds;
import dev.medley.training.factor.DealtRounds;
import dev.medley.training.factor.TouchedRows;
import dev.medley.training.kmeans.KMeansSteps;
import dev.medley.training.kmeans.MiniBatchRule;
import dev.medley.training.loop.Strategies;
import dev.medley.training.strategy.EveryStep;
import dev.medley.training.strategy.Strategy;
import dev.medley.trees.TreeLearner;
import java.nio.file.Path;
import java.util.List;

/** Makes what a worker needs of its job's kind of model: what learns, and by which strategy. */
sealed interface ModelKind {
    /** Folder in that of a run, for what may exceed memory. */
    String SCRATCH = "scratch";

    /** What learns; it is made once. */
    Learner learner();

    /** The strategy of a job, for this learner. */
    Strategy strategy(JobSpec job);

    /** A report of an evaluation with what there is to say of the model itself. */
    default EvaluationReport described(EvaluationReport report) {
        return report;
    }

    /** Memory for copies of what learns: of the kind that it lies in. */
    default SpanSource memory() {
        return SpanSource.NATIVE;
    }

    /** Begins with the arrays of a trained model. */
    void load(List<NamedSpan> weights);

    /** Of a job with this data. */
    static ModelKind of(Assignment assignment, TrainingData data, int threads) {
        JobSpec job = assignment.job();
        if (job.model() instanceof ModelSpec.Trees trees) {
            return new OfTrees(
                    TreeModels.learner(
                            trees,
                            assignment.data().encoding(),
                            new TreeLearner.Growing(
                                    threads,
                                    job.seed(),
                                    ReadyWorker.lossOf(assignment).weights().values())),
                    new TrainingRows(data, assignment.data().signature().target().kind()));
        }
        if (job.model() instanceof ModelSpec.Factorization factorization
                && factorization.factors().rows() == FactorSpec.Rows.TOUCHED) {
            TrainingRows rows = new TrainingRows(data, TargetKind.VALUE);
            Path folder = Path.of(assignment.runFolder());
            SpanSource memory =
                    factorization.factors().isDealt()
                            ? new ScratchMemory(folder.resolve(SCRATCH))
                            : SpanSource.NATIVE;
            return new OfFactors(
                    FactorModels.learner(
                            factorization,
                            assignment.data().encoding(),
                            job.seed(),
                            job.train().largestBatch(),
                            rows::each,
                            memory),
                    factorization.factors(),
                    rows,
                    memory);
        }
        if (job.model() instanceof ModelSpec.KMeans kmeans) {
            Encoding encoding = assignment.data().encoding();
            return new OfCentres(KMeansModels.learner(kmeans, encoding), kmeans, data, encoding);
        }
        QuasiNewton quasiNewton = job.train().optimizer().quasiNewton();
        if (quasiNewton != null) {
            return new OfSums(
                    new LinearLearner(
                            ReadyWorker.lossOf(assignment),
                            assignment.data().signature(),
                            quasiNewton.l1() == 0));
        }
        return new OfGradients(
                Replica.build(
                        job.model(),
                        ReadyWorker.lossOf(assignment),
                        job.train().groups(),
                        assignment.data().signature(),
                        ReplicaOptions.of(job.seed(), job.train().precision())));
    }

    /** Networks, which learn by gradients. */
    record OfGradients(Replica learner) implements ModelKind {
        @Override
        public Strategy strategy(JobSpec job) {
            return Strategies.of(job, learner);
        }

        @Override
        public void load(List<NamedSpan> weights) {
            learner.begin(weights);
        }
    }

    /** Linear models that are fitted by sums over all samples, in double precision. */
    record OfSums(LinearLearner learner) implements ModelKind {
        @Override
        public Strategy strategy(JobSpec job) {
            return Strategies.of(job, learner);
        }

        @Override
        public void load(List<NamedSpan> weights) {
            throw new ConfigException(
                    "train.optimizer=lbfgs begins at 0 whatever the model that it is given: leave"
                            + " --init out");
        }
    }

    /** Factorisations, of which the rows travel that a step touches. */
    record OfFactors(
            FactorLearner learner, FactorSpec factors, TrainingRows rows, SpanSource memory)
            implements ModelKind {
        @Override
        public Strategy strategy(JobSpec job) {
            if (factors.alternates()) {
                AlternatingSolver solver = new AlternatingSolver(learner, rows::each);
                return factors.isDealt()
                        ? new DealtRounds(learner, solver, DealtRounds.BLOCK_BYTES)
                        : new AlternatingRounds(learner, solver);
            }
            return new TouchedRows(
                    learner, new RowRule(job.train().optimizer(), learner), job.train().clipNorm());
        }

        @Override
        public void load(List<NamedSpan> weights) {
            learner.load(weights);
        }
    }

    /** Trees, which grow in rounds. */
    record OfTrees(TreeLearner learner, TrainingRows rows) implements ModelKind {
        @Override
        public Strategy strategy(JobSpec job) {
            return new BoostingRounds(learner, rows, job.cluster().stepTimeoutNs());
        }

        @Override
        public void load(List<NamedSpan> weights) {
            throw new ConfigException("trees cannot begin with those of another model yet");
        }
    }

    /** Centres of clusters. */
    record OfCentres(
            KMeansLearner learner, ModelSpec.KMeans model, TrainingData data, Encoding encoding)
            implements ModelKind {
        @Override
        public Strategy strategy(JobSpec job) {
            TrainingRows rows = new TrainingRows(data, TargetKind.NONE);
            if (model.takesAllSamples()) {
                return new KMeansSteps(new KMeansFit(learner, model.fit(), job.seed()), rows);
            }
            int batch = job.train().batch();
            long some = MiniBatchFit.beginsWith(data.trainSamples(), batch, model.k());
            return new EveryStep(
                    new MiniBatchRule(
                            new MiniBatchFit(learner, model.fit(), job.seed()),
                            new MiniBatchRule.Start(
                                    taker -> rows.ofFirstEpoch(some, taker), some, batch)));
        }

        @Override
        public EvaluationReport described(EvaluationReport report) {
            return report.with(KMeansModels.segments(encoding, learner.export()));
        }

        @Override
        public void load(List<NamedSpan> weights) {
            throw new ConfigException("centres cannot begin with those of another model yet");
        }
    }
}
