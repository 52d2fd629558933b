package dev.medley.tensor.kmeans;

import dev.medley.base.Seeds;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.model.KMeansSpec;
import dev.medley.tensor.kmeans.KMeansState.Array;
import dev.medley.tensor.kmeans.KMeansState.Number;
import dev.medley.tensor.kmeans.KMeansState.Phase;
import dev.medley.tensor.model.StepLoss;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Fits centres to samples that lie on many workers. Each step is a pass of every worker over its
 * own samples ({@link #gather}), whose sums over all workers say what follows ({@link #next}). A
 * fit begins with k-means|| and goes on with Lloyd's iterations; of several the one with the lowest
 * inertia is taken.
 *
 * <p>All that decides is in {@link #state}, equal on all workers. What is kept beside it spares
 * time, and follows from samples and state. One owner: the training thread.
 */
public final class KMeansFit {
    /** Of draws. */
    private static final long DRAWS = 0x6B6D65616E73L;

    private static final int FIRST = -1;

    private final KMeansLearner learner;
    private final KMeansShape shape;
    private final KMeansSpec spec;
    private final long seed;
    private final KMeansState state;
    private KMeansRows rows;
    private long firstRow;
    private long allRows;
    private boolean isShifted;
    private double squaresBefore;
    private double squaresOfAll;
    private @Nullable LloydPass pass;
    private @Nullable CandidateDraw draw;
    private double setOfDraw;

    /**
     * A fit of nothing yet.
     *
     * @param seed of what is drawn; equal on all workers
     */
    public KMeansFit(KMeansLearner learner, KMeansSpec spec, long seed) {
        this.learner = learner;
        this.shape = learner.shape();
        this.spec = spec;
        this.seed = seed;
        this.state = learner.fit();
        this.rows = new KMeansRows(shape.features());
    }

    /** What is fitted. */
    public KMeansLearner learner() {
        return learner;
    }

    /**
     * These samples are this worker's from now on.
     *
     * @param own gives them in batches, each of which is valid until the next
     * @param first number of the first among all
     * @param all samples of all workers
     */
    public void learnFrom(Consumer<Consumer<Batch>> own, long first, long all) {
        rows = new KMeansRows(shape.features());
        own.accept(rows::add);
        firstRow = first;
        allRows = all;
        isShifted = false;
        pass = null;
        draw = null;
    }

    /** Another group begins: whose distances come before whose has to be found anew. */
    public void formed() {
        if (state.phase() == Phase.DRAW) {
            state.phase(Phase.MEASURE);
        }
    }

    /** Passes over this worker's samples, and leaves in the accumulators what all are to sum. */
    public StepLoss gather() {
        double[] into = new double[shape.gathered()];
        double loss = gather(into);
        learner.gather(into);
        return new StepLoss(loss, rows.count());
    }

    private double gather(double[] into) {
        if (state.phase() == Phase.SURVEY) {
            return survey(into);
        }
        if (!isShifted) {
            rows.shift(state.get(Array.SHIFT));
            isShifted = true;
        }
        return switch (state.phase()) {
            case MEASURE -> measured();
            case DRAW -> {
                candidates().draw(squaresBefore, squaresOfAll, random(), into);
                yield measured();
            }
            case WEIGH -> {
                double loss = measured();
                candidates().weigh(into);
                yield loss;
            }
            case MOVE, JUDGE -> assigned(into);
            case SURVEY, DONE -> 0;
        };
    }

    private double survey(double[] into) {
        int d = shape.features();
        rows.survey(into);
        double squares = 0;
        for (int j = 0; j < d; j++) {
            squares += into[d + j];
        }
        float[] row = new float[d];
        for (int restart = 0; restart < shape.restarts(); restart++) {
            double point = Seeds.generator(seed, DRAWS, restart, FIRST).nextDouble();
            long number = (long) (point * allRows) - firstRow;
            if (number >= 0 && number < rows.count()) {
                rows.read(number, row);
                for (int j = 0; j < d; j++) {
                    into[(2 + restart) * d + j] = row[j];
                }
            }
        }
        return squares;
    }

    private double measured() {
        int count = state.whole(Number.CANDIDATES);
        return candidates().measure(state.get(Array.CANDIDATES), count);
    }

    private CandidateDraw candidates() {
        CandidateDraw known = draw;
        if (known == null
                || setOfDraw != state.get(Number.SET)
                || known.measured() > state.whole(Number.CANDIDATES)) {
            pass = null;
            known = new CandidateDraw(rows, shape, state.unitOfSquares());
            draw = known;
            setOfDraw = state.get(Number.SET);
        }
        return known;
    }

    private double random() {
        return Seeds.generator(
                        seed,
                        DRAWS,
                        state.whole(Number.RESTART),
                        state.whole(Number.ROUND),
                        state.whole(Number.ITERATION))
                .nextDouble();
    }

    private double assigned(double[] into) {
        LloydPass known = pass;
        if (known == null) {
            draw = null;
            rows.endDistances();
            known = new LloydPass(rows, shape, state.unit(), state.unitOfSquares());
            pass = known;
        }
        double inertia = known.assign(state.get(Array.CENTRES));
        known.write(into);
        return inertia;
    }

    /**
     * What follows when the accumulators are summed over all workers, ready to run.
     *
     * @param samples of all workers
     * @param losses what {@link #gather} returned on each, in the order of their samples
     * @param rank of this worker among them
     */
    public Runnable next(double samples, double[] losses, int rank) {
        FitSteps steps = new FitSteps(state.copy(), learner.gathered(), spec, seed);
        double all = 0;
        double before = 0;
        for (int other = 0; other < losses.length; other++) {
            before = other == rank ? all : before;
            all += losses[other];
        }
        steps.take(samples, all);
        double ofOthers = before;
        double ofAll = all;
        return () -> {
            squaresBefore = ofOthers;
            squaresOfAll = ofAll;
            state.take(steps.state());
            double[] shown = steps.shown();
            if (shown != null) {
                learner.centres(shown);
            }
        };
    }

    /** Why the fit has ended, in a sentence; null while it has not. */
    public @Nullable String done() {
        return state.phase() == Phase.DONE ? FitStory.of(state) : null;
    }

    /** All that it remembers: the span is the state itself. */
    public List<NamedSpan> state() {
        return List.of(state.span());
    }
}
