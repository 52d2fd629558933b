package dev.medley.fleet.elastic;

import java.util.Arrays;
import java.util.Map;

/** Counts the free GPUs of nodes, and takes them from the freest node first. */
final class FreeGpus {
    private final int[] free;

    FreeGpus(SharesPolicy.View view, Map<Integer, int[]> held) {
        free = new int[view.nodes()];
        Arrays.fill(free, view.gpusPerNode());
        for (int[] nodes : held.values()) {
            for (int node : nodes) {
                free[node]--;
            }
        }
    }

    /** Takes whole nodes and the fullest node that has the rest; none if there are too few. */
    int[] pack(int workers, int gpusPerNode) {
        int[] nodes = new int[workers];
        int[] left = free.clone();
        int taken = 0;
        while (taken < workers) {
            int count = Math.min(gpusPerNode, workers - taken);
            int fullest = -1;
            for (int node = 0; node < left.length; node++) {
                boolean fits = left[node] >= count;
                fullest = fits && (fullest < 0 || left[node] < left[fullest]) ? node : fullest;
            }
            if (fullest < 0) {
                return new int[0];
            }
            Arrays.fill(nodes, taken, taken + count, fullest);
            left[fullest] -= count;
            taken += count;
        }
        System.arraycopy(left, 0, free, 0, free.length);
        return nodes;
    }

    /** Takes that many, the freest node first, of equal ones the first. */
    int[] take(int workers) {
        int[] nodes = new int[workers];
        int taken = 0;
        while (taken < workers) {
            int freest = 0;
            for (int node = 1; node < free.length; node++) {
                freest = free[node] > free[freest] ? node : freest;
            }
            int count = Math.min(free[freest], workers - taken);
            if (count == 0) {
                throw new IllegalStateException("%s workers do not fit".formatted(workers));
            }
            Arrays.fill(nodes, taken, taken + count, freest);
            free[freest] -= count;
            taken += count;
        }
        return nodes;
    }
}
