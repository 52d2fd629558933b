package dev.medley.fleet.cost;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.text.Units;
import dev.medley.fleet.view.MachineType;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/**
 * Says how long a budget lasts.
 *
 * @param perHour what is spent an hour
 * @param usedUpS seconds until nothing is left; infinite where nothing is spent or no budget was
 *     set
 * @param leftAtEnd of the budget when the work ends; negative if it does not last
 * @param sentence for the owner
 */
public record BudgetForecast(double perHour, double usedUpS, double leftAtEnd, String sentence) {
    /**
     * Of a budget still to spend on {@code machines} by type, held until {@code endsInS}; infinite
     * where the end is unknown.
     *
     * @throws dev.medley.base.ConfigException if one of these machines has no price
     */
    public static BudgetForecast of(
            double budget, List<MachineType> types, int[] machines, double endsInS) {
        double perHour = perHour(types, machines);
        double usedUpS =
                budget <= 0 ? 0 : perHour == 0 ? Double.POSITIVE_INFINITY : budget / perHour * 3600;
        double leftAtEnd = perHour == 0 ? budget : budget - perHour * endsInS / 3600;
        String sentence;
        if (Double.isInfinite(budget)) {
            sentence =
                    String.format(
                            Locale.ROOT, "It spends %.2f an hour, without a budget.", perHour);
        } else if (budget <= 0) {
            sentence = "The budget is used up.";
        } else if (perHour == 0) {
            sentence = String.format(Locale.ROOT, "It spends nothing now; %.2f are left.", budget);
        } else {
            sentence =
                    String.format(
                            Locale.ROOT,
                            "It spends %.2f an hour; the %.2f that are left last %s, %s.",
                            perHour,
                            budget,
                            Units.duration(usedUpS * 1e9),
                            Double.isInfinite(endsInS)
                                    ? "and its end is unknown"
                                    : usedUpS < endsInS
                                            ? Units.duration((endsInS - usedUpS) * 1e9)
                                                    + " too short"
                                            : "which is enough");
        }
        return new BudgetForecast(perHour, usedUpS, leftAtEnd, sentence);
    }

    /** What machines cost an hour; one without a price is refused, and never free. */
    private static double perHour(List<MachineType> types, int[] machines) {
        double perHour = 0;
        TreeSet<String> missing = new TreeSet<>();
        for (int type = 0; type < machines.length; type++) {
            if (machines[type] > 0) {
                double price = types.get(type).pricePerHour();
                if (Double.isNaN(price)) {
                    missing.add(types.get(type).name());
                }
                perHour += machines[type] * price;
            }
        }
        check(
                missing.isEmpty(),
                "no price is known for machines of type %s, so nobody knows what is spent: name it",
                String.join(", ", missing));
        return perHour;
    }
}
