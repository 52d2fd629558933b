package dev.medley.base.strategy;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.strategy.StrategySpec.Compress;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The settings that say how much a codec leaves out, at which exchanges, and at which borders.
 *
 * @param density part of the elements that topk sends, in every block at least one
 * @param exactSteps exchanges at the beginning of a run that no codec touches: there gradients are
 *     longest and change most
 * @param rank columns of the two matrices that powersgd sends for one
 * @param among the codecs that {@link Compress#AUTO} chooses from
 * @param densitySteps exchanges after the exact ones in which topk comes from a quarter of the
 *     elements to its density
 * @param correctsMomentum whether the momentum of SGD comes before topk and not after it
 * @param residualDecay what of the elements left out is kept for the next exchange; 1 is all
 * @param borders those whose codec is not that of the strategy
 */
public record CodecSpec(
        double density,
        long exactSteps,
        int rank,
        List<Compress> among,
        long densitySteps,
        boolean correctsMomentum,
        double residualDecay,
        List<BorderCodec> borders) {
    private static final int USUAL_RANK = 4;
    private static final List<Compress> USUAL =
            List.of(Compress.NONE, Compress.BF16, Compress.INT8, Compress.INT4);
    private static final Set<Compress> NOT_CHOSEN =
            EnumSet.of(Compress.ONEBIT, Compress.POWERSGD, Compress.AUTO);

    /** One element of a hundred, four columns, from the first step on, nothing forgotten. */
    public static final CodecSpec DEFAULT = new CodecSpec(0.01, 0, USUAL_RANK);

    public CodecSpec {
        WrittenStrategy.requireWhole("codec", among, borders);
        among = List.copyOf(among);
        borders = List.copyOf(borders);
        check(
                density > 0 && density <= 0.5,
                "strategy.density=%s: above 0, at most 0.5; above that int8 sends less",
                density);
        check(exactSteps >= 0, "strategy.exact_steps=%d: not below 0", exactSteps);
        check(rank >= 1, "strategy.rank=%d: at least 1 column", rank);
        check(
                !among.isEmpty() && among.stream().noneMatch(NOT_CHOSEN::contains),
                "strategy.codecs=%s: name some of none, bf16, fp16, int8, int4 and topk",
                words(among));
        check(
                among.stream().distinct().count() == among.size(),
                "strategy.codecs=%s: name each once",
                words(among));
        check(densitySteps >= 0, "strategy.density_steps=%d: not below 0", densitySteps);
        check(
                residualDecay >= 0 && residualDecay <= 1,
                "strategy.residual_decay=%s: from 0, nothing is sent later, to 1, all is",
                residualDecay);
        check(
                borders.stream().map(b -> List.of(b.from(), b.to())).distinct().count()
                        == borders.size(),
                "strategy.borders=%s: name each way from a site to another once",
                borders.stream().map(b -> b.from() + " to " + b.to()).toList());
    }

    /** A codec with the usual rank. */
    public CodecSpec(double density, long exactSteps) {
        this(density, exactSteps, USUAL_RANK);
    }

    /** A codec that is named, without corrections. */
    public CodecSpec(double density, long exactSteps, int rank) {
        this(density, exactSteps, rank, USUAL, 0L, false, 1.0, List.of());
    }

    private static String words(List<Compress> codecs) {
        return codecs.toString().toLowerCase(Locale.ROOT);
    }

    /** The same with this part of the elements. */
    public CodecSpec keeping(double part) {
        return new CodecSpec(
                part,
                exactSteps,
                rank,
                among,
                densitySteps,
                correctsMomentum,
                residualDecay,
                borders);
    }

    /** The same after so many exact exchanges. */
    public CodecSpec after(long steps) {
        return new CodecSpec(
                density,
                steps,
                rank,
                among,
                densitySteps,
                correctsMomentum,
                residualDecay,
                borders);
    }

    /** The same with so many columns. */
    public CodecSpec ofRank(int columns) {
        return new CodecSpec(
                density,
                exactSteps,
                columns,
                among,
                densitySteps,
                correctsMomentum,
                residualDecay,
                borders);
    }

    /** The same where one of these is chosen. */
    public CodecSpec choosingOf(Compress... codecs) {
        return new CodecSpec(
                density,
                exactSteps,
                rank,
                List.of(codecs),
                densitySteps,
                correctsMomentum,
                residualDecay,
                borders);
    }

    /** The same where topk comes to its density within so many exchanges. */
    public CodecSpec warmingUp(long steps) {
        return new CodecSpec(
                density, exactSteps, rank, among, steps, correctsMomentum, residualDecay, borders);
    }

    /** The same with SGD's momentum before topk. */
    public CodecSpec correctingMomentum() {
        return new CodecSpec(
                density, exactSteps, rank, among, densitySteps, true, residualDecay, borders);
    }

    /** The same, where this part of what is left out is kept for the next exchange. */
    public CodecSpec decaying(double kept) {
        return new CodecSpec(
                density, exactSteps, rank, among, densitySteps, correctsMomentum, kept, borders);
    }

    /** The same with codecs of their own at these borders. */
    public CodecSpec at(List<BorderCodec> those) {
        return new CodecSpec(
                density,
                exactSteps,
                rank,
                among,
                densitySteps,
                correctsMomentum,
                residualDecay,
                those);
    }

    /** The coarsest that any border has, where that of all others is {@code usual}. */
    public Compress coarsest(Compress usual) {
        return borders.stream()
                .map(BorderCodec::codec)
                .max(Comparator.naturalOrder())
                .filter(codec -> codec.compareTo(usual) > 0)
                .orElse(usual);
    }

    /** The codec with which a site sends to another, where that of all is {@code usual}. */
    public Compress at(String from, String to, Compress usual) {
        return borders.stream()
                .filter(border -> border.leads(from, to))
                .map(BorderCodec::codec)
                .findFirst()
                .orElse(usual);
    }
}
