import type { HelpChannelNodeJson } from '~/gen/sahm/content/v1/help_pb';

/** The channels from a top channel to the one with an id; empty if it is not in the tree. */
export function trailTo(tree: readonly HelpChannelNodeJson[], id: string): HelpChannelNodeJson[] {
  for (const node of tree) {
    if (node.id === id) return [node];
    const below = trailTo(node.children ?? [], id);
    if (below.length > 0) return [node, ...below];
  }
  return [];
}
