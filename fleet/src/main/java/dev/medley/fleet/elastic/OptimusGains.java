package dev.medley.fleet.elastic;

import dev.medley.fleet.elastic.trace.BatchBounds;
import dev.medley.fleet.elastic.trace.LearningCurves;
import dev.medley.fleet.elastic.trace.MeasuredModel;
import dev.medley.fleet.elastic.trace.StepTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Shares as Optimus does in Pollux's simulator, which lets it know true step times and remaining
 * steps: one worker each, then one after the other to the job whose end it brings nearest.
 */
public final class OptimusGains implements SharesPolicy {
    @Override
    public Map<Integer, int[]> decide(View view) {
        List<ElasticJob> jobs = view.jobs();
        int gpus = view.gpus();
        int[] workers = new int[jobs.size()];
        double[] gains = new double[jobs.size()];
        for (int i = 0; i < jobs.size() && gpus > 0; i++) {
            workers[i] = 1;
            gpus--;
            gains[i] = gpus < 1 ? 0 : gainS(jobs.get(i), 1);
        }
        while (gpus > 0) {
            int best = 0;
            for (int i = 1; i < gains.length; i++) {
                best = gains[i] > gains[best] ? i : best;
            }
            if (jobs.isEmpty() || gains[best] <= 0) {
                break;
            }
            workers[best]++;
            gains[best] = gainS(jobs.get(best), workers[best]);
            gpus--;
        }
        return placed(view, workers);
    }

    private static Map<Integer, int[]> placed(View view, int[] workers) {
        Map<Integer, int[]> shares = new LinkedHashMap<>();
        List<ElasticJob> jobs = view.jobs();
        for (int i = 0; i < workers.length; i++) {
            if (workers[i] > 0 && jobs.get(i).workers() == workers[i]) {
                shares.put(jobs.get(i).index(), jobs.get(i).nodeOfWorker());
            }
        }
        FreeGpus free = new FreeGpus(view, shares);
        for (int count = 1; count <= view.gpus(); count++) {
            for (int i = 0; i < workers.length; i++) {
                if (workers[i] == count && !shares.containsKey(jobs.get(i).index())) {
                    shares.put(jobs.get(i).index(), free.take(count));
                }
            }
        }
        return shares;
    }

    /** Seconds by which one worker more brings the job's end nearer. */
    private static double gainS(ElasticJob job, int workers) {
        MeasuredModel model = job.spec().model();
        int batch = job.spec().batch();
        int most = model.fixedBatch() > 0 ? 1 : batch / model.batches().minLocal();
        if (workers + 1 > most) {
            return 0;
        }
        LearningCurves curves = model.curves();
        int last = model.epochs() - 1;
        double steps =
                last <= job.epoch()
                        ? 1
                        : curves.steps(batch, last) - curves.steps(batch, job.epoch());
        return (stepS(model, batch, workers) - stepS(model, batch, workers + 1)) * steps;
    }

    private static double stepS(MeasuredModel model, int batch, int workers) {
        BatchBounds bounds = model.batches();
        double local = Math.ceil((double) batch / workers - 1e-8);
        int accumulated = (int) Math.ceil(local / bounds.maxLocal() - 1e-8) - 1;
        if (workers == 1) {
            accumulated = Math.max(1, accumulated);
        }
        int size = (int) Math.ceil(local / (accumulated + 1) - 1e-8);
        LocalBatch cut = new LocalBatch(size, accumulated).within(workers, bounds);
        return model.steps().at(StepTable.packed(workers), cut.size()).totalS(cut.accumulated());
    }
}
