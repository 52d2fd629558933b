package dev.medley.onnx.stage;

import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Port;
import dev.medley.tensor.graph.Value;

/**
 * Finds how far days have gone in their year and week, and moments in their day, each from 0 to
 * below 1. Years are counted from March within cycles of 400, so that the leap day is a year's last
 * (H. Hinnant, "chrono-compatible low-level date algorithms", civil_from_days).
 */
final class DayParts {
    private static final double CYCLE_DAYS = 146_097;

    /** From the first of March of the year 0 to 1970. */
    private static final double DAYS_TO_1970 = 719_468;

    private static final double WEEK_DAYS = 7;
    private static final double MONDAY_SHIFT = 3;

    /** The first of January, counted from March; and the first of March, from January. */
    private static final double JANUARY = 306;

    private static final double MARCH = 59;

    private final Graph graph;
    private final Value days;
    private final Value whole;

    /** Of days since 1970, DOUBLE of any shape. */
    DayParts(Value days, Graph graph) {
        this.graph = graph;
        this.days = days;
        this.whole = graph.node("Floor", days);
    }

    /** What is gone of the day. */
    Value ofDay() {
        return graph.node("Sub", days, whole);
    }

    /** What is gone of the week, in whole days from Monday. */
    Value ofWeek() {
        Value shifted = plus(whole, MONDAY_SHIFT);
        Value weeks = graph.node("Div", shifted, graph.exact(WEEK_DAYS));
        return graph.node("Sub", weeks, graph.node("Floor", weeks));
    }

    /** What is gone of the year, in whole days. */
    Value ofYear() {
        Value since = plus(whole, DAYS_TO_1970);
        Value cycle = quotient(since, CYCLE_DAYS);
        Value day = graph.node("Sub", since, times(cycle, CYCLE_DAYS));
        Value common = graph.node("Sub", day, quotient(day, 1460));
        common = graph.node("Add", common, quotient(day, 36_524));
        common = graph.node("Sub", common, quotient(day, CYCLE_DAYS - 1));
        Value year = quotient(common, 365);
        Value before = graph.node("Add", times(year, 365), quotient(year, 4));
        before = graph.node("Sub", before, quotient(year, 100));
        Value fromMarch = graph.node("Sub", day, before);
        Value isNext = graph.node("Not", graph.node("Less", fromMarch, graph.exact(JANUARY)));
        Value leap = leap(year);
        Value later = graph.node("Add", plus(fromMarch, MARCH), leap);
        Value dayOfYear = graph.node("Where", isNext, plus(fromMarch, -JANUARY), later);
        Value leapOfThis = graph.node("Where", isNext, leap(plus(year, 1)), leap);
        return graph.node("Div", dayOfYear, plus(leapOfThis, 365));
    }

    /** 1 for a leap year, else 0, of a year within its cycle: the 400th is the next one's first. */
    private Value leap(Value year) {
        Value fourth = graph.node("Sub", isMultiple(year, 4), isMultiple(year, 100));
        return graph.node("Add", fourth, isMultiple(year, 400));
    }

    private Value isMultiple(Value year, double of) {
        Value parts = graph.node("Div", year, graph.exact(of));
        Value isWhole = graph.node("Equal", parts, graph.node("Floor", parts));
        return graph.cast(isWhole, Port.Type.DOUBLE);
    }

    private Value quotient(Value x, double by) {
        return graph.node("Floor", graph.node("Div", x, graph.exact(by)));
    }

    private Value times(Value x, double factor) {
        return graph.node("Mul", x, graph.exact(factor));
    }

    private Value plus(Value x, double more) {
        return graph.node("Add", x, graph.exact(more));
    }
}
