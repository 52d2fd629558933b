package dev.medley.data.image;

import java.util.ArrayList;
import java.util.List;

/** Counts the values of pixels by channel, of which means and deviations are exact. One owner. */
public final class PixelCounts {
    private static final int VALUES = 256;

    private final long[][] counts;

    /** Of no image yet. */
    public PixelCounts(int channels) {
        counts = new long[channels][VALUES];
    }

    /** Counts an image that lies channel by channel. */
    public void add(byte[] image, int at, int pixels) {
        int plane = pixels / counts.length;
        for (int c = 0; c < counts.length; c++) {
            long[] ofChannel = counts[c];
            int start = at + c * plane;
            for (int i = start; i < start + plane; i++) {
                ofChannel[image[i] & 0xFF]++;
            }
        }
    }

    /** Adds the numbers that {@link #numbers} gave of other images. */
    public void add(List<Long> others) {
        for (int i = 0; i < others.size(); i++) {
            counts[i / VALUES][i % VALUES] += others.get(i);
        }
    }

    /** All counts, channel by channel. */
    public List<Long> numbers() {
        List<Long> all = new ArrayList<>();
        for (long[] ofChannel : counts) {
            for (long count : ofChannel) {
                all.add(count);
            }
        }
        return all;
    }

    /** Mean of each channel, in [0, 1]; 0 of no image. */
    public List<Double> means() {
        List<Double> means = new ArrayList<>();
        for (long[] ofChannel : counts) {
            double sum = 0;
            long n = 0;
            for (int v = 0; v < VALUES; v++) {
                sum += (double) v * ofChannel[v];
                n += ofChannel[v];
            }
            means.add(n == 0 ? 0 : sum / n / 255);
        }
        return means;
    }

    /** Deviation of each channel; 1 for a channel of one value. */
    public List<Double> deviations() {
        List<Double> means = means();
        List<Double> deviations = new ArrayList<>();
        for (int c = 0; c < counts.length; c++) {
            double sum = 0;
            long n = 0;
            for (int v = 0; v < VALUES; v++) {
                double away = v / 255.0 - means.get(c);
                sum += away * away * counts[c][v];
                n += counts[c][v];
            }
            double deviation = n == 0 ? 0 : Math.sqrt(sum / n);
            deviations.add(deviation == 0 ? 1 : deviation);
        }
        return deviations;
    }
}
