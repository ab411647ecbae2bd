// API stub, never shipped. Signatures as stated in intellij-community:
// platform/platform-api/src/com/intellij/ui/treeStructure/Tree.java
package com.intellij.ui.treeStructure;

import com.intellij.util.ui.StatusText;
import java.awt.Color;
import java.awt.Graphics;
import java.awt.Rectangle;
import javax.swing.JTree;
import javax.swing.UIManager;
import javax.swing.tree.TreeModel;
import org.jetbrains.annotations.NotNull;

public class Tree extends JTree {
  private final StatusText emptyText;

  public Tree(TreeModel treemodel) {
    super(treemodel);
    emptyText = new StatusText(this) {
      @Override
      protected boolean isStatusVisible() {
        return isEmpty();
      }
    };
    setOpaque(false);
  }

  public boolean isEmpty() {
    return getModel().getChildCount(getModel().getRoot()) == 0;
  }

  public @NotNull StatusText getEmptyText() {
    return emptyText;
  }

  // In the IDE a selected row is coloured over the whole width.
  @Override
  protected void paintComponent(Graphics graphics) {
    Rectangle visible = getVisibleRect();
    graphics.setColor(getBackground());
    graphics.fillRect(visible.x, visible.y, visible.width, visible.height);
    Rectangle selected = getPathBounds(getSelectionPath());
    Color color = UIManager.getColor(hasFocus() ? "Tree.selectionBackground" : "Tree.selectionInactiveBackground");
    if (selected != null && color != null) {
      graphics.setColor(color);
      graphics.fillRect(visible.x, selected.y, visible.width, selected.height);
    }
    super.paintComponent(graphics);
    emptyText.paint(this, graphics);
  }
}
