package dev.medley.exchange.codec;

/** Finds an order statistic in place (Hoare 1961, with the middle of three as pivot). */
final class Selection {
    private Selection() {}

    /** The {@code rank}-th largest, from 1, of the first {@code count}; reorders them. */
    static int largest(int[] values, int count, int rank) {
        int wanted = count - rank;
        int low = 0;
        int high = count - 1;
        while (low < high) {
            int pivot = middle(values[low], values[(low + high) >>> 1], values[high]);
            int i = low;
            int j = high;
            while (i <= j) {
                while (values[i] < pivot) {
                    i++;
                }
                while (values[j] > pivot) {
                    j--;
                }
                if (i <= j) {
                    int swapped = values[i];
                    values[i++] = values[j];
                    values[j--] = swapped;
                }
            }
            if (wanted <= j) {
                high = j;
            } else if (wanted >= i) {
                low = i;
            } else {
                return pivot;
            }
        }
        return values[wanted];
    }

    private static int middle(int a, int b, int c) {
        return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
    }
}
