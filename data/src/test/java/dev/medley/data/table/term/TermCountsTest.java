package dev.medley.data.table.term;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.table.TermSpec;
import dev.medley.data.encoding.SparseColumn;
import dev.medley.data.encoding.SparseColumn.Hashed;
import dev.medley.data.encoding.SparseColumn.Pairs;
import dev.medley.data.encoding.SparseColumn.Words;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Words counted in parts come to what they come to at once, and slots hold what weighs most. */
@Tag("unit")
class TermCountsTest {
    private static final TermSpec TEXT = new TermSpec(1, 0, List.of("t"), List.of(), 1000, 5, true);

    @Test
    void partsOfOtherWordsShouldComeTogetherAsCountedAtOnce() {
        TermFit first = counted("aa bb", "aa");
        TermFit second = counted("cc dd ee", "cc", "dd");
        TermCounts both = first.counts().with(second.counts());
        assertThat(both.words())
                .isEqualTo(Map.of("aa", 2L, "bb", 1L, "cc", 2L, "dd", 2L, "ee", 1L));
        assertThat(both.different()).isEqualTo(5);
        assertThat(both.trainRows()).isEqualTo(5);
        assertThat(both.most()).isEqualTo(3);
        TermFit again = TermFit.of("t", TEXT, both);
        assertThat(again.counts()).isEqualTo(both);
        TermFit atOnce = counted("aa bb", "aa", "cc dd ee", "cc", "dd");
        SparseColumn column = again.column();
        assertThat(column).isEqualTo(atOnce.column());
        assertThat(again.sentence(column)).isEqualTo(atOnce.sentence(column));
    }

    @Test
    void wordsThatAreNotKeptShouldStillBeCounted() {
        TermCounts some = counted("aa bb cc", "aa bb", "aa").counts().mostFrequent(1, 2);
        assertThat(some.words()).isEqualTo(Map.of("aa", 3L, "bb", 2L));
        TermFit fit = TermFit.of("t", TEXT, some);
        assertThat(fit.sentence(fit.column())).contains("2 of 3 words", "at most 2 in a row");
        TermCounts low = new TermCounts(Map.of("zz", 4L), 1, 4, 1, 600, 2);
        TermCounts sum = low.with(new TermCounts(Map.of(), 0, 1, 2, 7, 3));
        assertThat(List.of(sum.longRows(), sum.tooLow())).containsExactly(3L, 5L);
        assertThat(sum.most()).isEqualTo(600);
        TermFit told = TermFit.of("t", TEXT, sum);
        assertThat(told.sentence(told.column()))
                .contains("too low by at most 5 rows", "3 rows have more than 512");
    }

    /** Counting is exact up to the bound, and what is forgotten is what few rows had. */
    @Test
    void wordsShouldBeForgottenOnlyBeyondTheBound() {
        WordCounts counts = new WordCounts(4);
        counts.add(List.of("a", "b", "c", "d"));
        counts.add(List.of("a", "b"));
        counts.add(List.of("a", "b"));
        assertThat(List.of(counts.words(), counts.tooLow())).containsExactly(4L, 0L);
        counts.add(List.of("e"));
        assertThat(counts.tooLow()).isEqualTo(1);
        assertThat(counts.rows()).isEqualTo(Map.of("a", 3L, "b", 3L));
        counts.add(List.of("c"));
        assertThat(counts.rows("c")).isEqualTo(1);
        counts.add(List.of("d", "f"));
        assertThat(counts.rows()).isEqualTo(Map.of("a", 3L, "b", 3L));
        assertThat(counts.tooLow()).isEqualTo(2);
    }

    @Test
    void rowsToJudgeByShouldMakeRoomButTeachNothing() {
        TermFit fit = counted("aa");
        fit.judge("bb cc dd");
        assertThat(((Words) fit.column()).vocabulary()).containsExactly("aa");
        assertThat(fit.counts().trainRows()).isEqualTo(1);
        assertThat(fit.counts().most()).isEqualTo(3);
    }

    @Test
    void manyTermsShouldBeCutWhereTheyAreTextsAndKeptWhereTheyArePairs() {
        String text = numbered(513, i -> "w" + i);
        TermFit words = counted(text, numbered(512, i -> "w" + i));
        assertThat(words.counts().longRows()).isEqualTo(1);
        assertThat(words.column().slots()).isEqualTo(512);
        TermFit pairs = TermFit.ofPairs("t", TEXT);
        pairs.train(numbered(600, i -> (i + 1) + ":1"));
        assertThat(pairs.column().slots()).isEqualTo(600);
        assertThat(TermFit.room(pairs.column(), 700)).isEqualTo(700);
        assertThat(TermFit.room(words.column(), 700)).isEqualTo(512);
    }

    @Test
    void pairsOfOneFeatureShouldBeAColumnAndPairsToJudgeByAloneNone() {
        TermFit zero = TermFit.ofPairs("t", TEXT);
        zero.train("0:1");
        assertThat(zero.column()).isEqualTo(new Pairs("t", 1, 0, 1));
        TermFit none = TermFit.ofPairs("t", TEXT);
        none.judge("3:1");
        assertThat(none.column()).isNull();
    }

    @Test
    void sentencesShouldSayWhetherWordsOrValuesAreHashed() {
        TermSpec words = new TermSpec(1, 0, List.of("t"), List.of("t"), 9, 5, true);
        TermFit text = TermFit.ofTexts("t", words);
        text.train("aa bb");
        assertThat(text.sentence(text.column())).isEqualTo("text 't': words hashed to 32 places");
        TermFit value =
                TermFit.ofTexts("t", new TermSpec(1, 0, List.of(), List.of("t"), 9, 5, true));
        value.train("aa bb");
        assertThat(value.sentence(value.column()))
                .isEqualTo("column 't': values hashed to 32 places");
        assertThat(value.column().slots()).isEqualTo(1);
    }

    @Test
    void slotsShouldHoldTheTermsFurthestFromZero() {
        TermCoder coder = TermCoder.of(new Pairs("t", 4, 1, 2), UnaryOperator.identity());
        assertThat(coder.of("1:0.5 2:-3 3:2 4:1")).isEqualTo(Map.of(1, -3.0, 2, 2.0));
        assertThat(coder.of("1:0.5 4:1")).isEqualTo(Map.of(0, 0.5, 3, 1.0));
        assertThat(coder.of("0:7 5:7 4:1")).as("features that training had not").hasSize(1);
        assertThat(coder.most()).isEqualTo(4);
    }

    /** One value is one term, whichever of its spellings stands there. */
    @Test
    void valuesShouldBeHashedByTheirKey() {
        Hashed column = new Hashed("t", 5, false, 1);
        TermCoder coder = TermCoder.of(column, text -> text.replace(".0", ""));
        Map<Integer, Double> one = coder.of("1");
        assertThat(one).hasSize(1).isEqualTo(coder.of("1.0")).isNotEqualTo(coder.of("2"));
        assertThat(Math.abs(one.values().iterator().next())).isCloseTo(1, within(1e-12));
        int hash = Murmur3.of("1");
        assertThat(one)
                .isEqualTo(Map.of((int) (Math.abs((long) hash) % 32), hash >= 0 ? 1.0 : -1.0));
    }

    private static TermFit counted(String... texts) {
        TermFit fit = TermFit.ofTexts("t", TEXT);
        for (String text : texts) {
            fit.train(text);
        }
        return fit;
    }

    private static String numbered(int many, java.util.function.IntFunction<String> term) {
        return IntStream.range(0, many).mapToObj(term).collect(Collectors.joining(" "));
    }
}
