package dev.medley.fleet.elastic;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Shares as Tiresias does in Pollux's simulator: each job has the workers that its owner asked for,
 * or none; those that used less than 16 GPU-hours go first, then first come, first served.
 *
 * <p>Thread: one; it keeps its two queues from one decision to the next.
 */
public final class TiresiasQueues implements SharesPolicy {
    private static final double SECOND_QUEUE_GPU_S = 3600 * 16;

    private List<ElasticJob> first = new ArrayList<>();
    private List<ElasticJob> second = new ArrayList<>();
    private final Map<Integer, Double> ranS = new HashMap<>();
    private final Map<Integer, Double> checkedS = new HashMap<>();
    private final Map<Integer, Boolean> running = new HashMap<>();

    @Override
    public Map<Integer, int[]> decide(View view) {
        first = new ArrayList<>(first.stream().filter(ElasticJob::isOpen).toList());
        second = new ArrayList<>(second.stream().filter(ElasticJob::isOpen).toList());
        Map<Integer, int[]> shares = new LinkedHashMap<>();
        for (ElasticJob job : view.jobs()) {
            if (running.putIfAbsent(job.index(), false) == null) {
                first.add(job);
            }
            if (job.workers() > 0) {
                shares.put(job.index(), job.nodeOfWorker());
            }
        }
        view.jobs().forEach(job -> age(job, view.nowS()));
        int gpus = view.gpus();
        List<ElasticJob> inOrder = new ArrayList<>(first);
        inOrder.addAll(second);
        for (ElasticJob job : inOrder) {
            boolean runs = job.spec().workers() <= gpus;
            running.put(job.index(), runs);
            if (runs) {
                gpus -= job.spec().workers();
            } else {
                shares.remove(job.index());
            }
        }
        FreeGpus free = new FreeGpus(view, shares);
        for (ElasticJob job : inOrder) {
            if (Boolean.TRUE.equals(running.get(job.index())) && !shares.containsKey(job.index())) {
                shares.put(job.index(), free.take(job.spec().workers()));
            }
        }
        return shares;
    }

    private void age(ElasticJob job, double nowS) {
        double sinceS = nowS - checkedS.getOrDefault(job.index(), 0.0);
        checkedS.put(job.index(), nowS);
        if (Boolean.TRUE.equals(running.get(job.index()))) {
            double allS = ranS.merge(job.index(), sinceS, Double::sum);
            if (allS * job.spec().workers() >= SECOND_QUEUE_GPU_S && first.remove(job)) {
                second.add(job);
            }
        }
    }
}
