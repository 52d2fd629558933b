package dev.medley.plan.cost;

/**
 * The cost of letters that workers exchange point to point within a round, for each batch of all
 * workers together.
 *
 * @param ns that every worker waits
 * @param between bytes from site to site
 * @param insideBytes that go from worker to worker of one site, all sites together
 */
public record LetterCost(double ns, SiteTraffic between, double insideBytes) {
    /** Of a worker that is alone. */
    public static LetterCost none(int sites) {
        return new LetterCost(0, SiteTraffic.evenly(sites, 0), 0);
    }

    /** The cost of a round of so many batches. */
    public RoundCost inRound(double batches) {
        return new RoundCost(batches * ns, between.times(batches), batches * insideBytes);
    }
}
