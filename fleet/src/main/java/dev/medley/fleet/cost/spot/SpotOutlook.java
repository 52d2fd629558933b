package dev.medley.fleet.cost.spot;

/**
 * Expects of a market what was seen of it so far, as rates without memory.
 *
 * @param spotPerHour price of spot machines
 * @param lostPerS rate at which a spot machine is taken away
 * @param otherUp chance that another one is up at once
 * @param upPerS rate at which the time without spot machines ends that goes on now
 * @param laterUpPerS rate at which later ones end
 */
record SpotOutlook(
        double spotPerHour, double lostPerS, double otherUp, double upPerS, double laterUpPerS) {
    /** What is expected, if {@code spot} would be taken; it may be nowhere. */
    static SpotOutlook of(SpotState state, SpotPlace spot) {
        double price = 0;
        double weight = 0;
        double lost = 0;
        double up = 0;
        double laterUp = 0;
        double noneUp = 1;
        double leastPrice = Double.POSITIVE_INFINITY;
        for (int zone = 0; zone < state.quotes().size(); zone++) {
            SpotQuote quote = state.quotes().get(zone);
            SpotLives lives = quote.lives();
            double availability = lives.availability();
            price += availability * quote.spotPerHour();
            lost += availability / Math.max(lives.ups().meanS(), state.job().stepS());
            weight += availability;
            leastPrice = Math.min(leastPrice, quote.spotPerHour());
            double downS = quote.up() ? lives.downs().meanS() : lives.downs().leftS(lives.ageS());
            up += 1 / Math.max(downS, state.job().stepS());
            laterUp += 1 / Math.max(lives.downs().meanS(), state.job().stepS());
            noneUp *= zone == spot.zone() && spot.runs() ? 1 : 1 - availability;
        }
        double alone = state.quotes().size() == 1 ? 0 : 1 - noneUp;
        return new SpotOutlook(
                spot.runs() ? state.perHour(spot) : weight > 0 ? price / weight : leastPrice,
                weight > 0 ? lost / weight : 1 / state.job().stepS(),
                alone,
                up,
                laterUp);
    }
}
