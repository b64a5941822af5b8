A small matrix                                                          SMALL   
             3             1             1             0
pra                        3             3             4             0
(4I3)           (6I2)                               
  1  3  4  5
 1 3 2 3
